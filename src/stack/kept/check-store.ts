import { isServiceError } from '../../errors/service-error.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { countFault } from '../../ledger/portable/count-fault.ts';
import { LandedMessages } from '../../ledger/portable/landed-messages.ts';
import { listedUnder } from '../../ledger/portable/listing.ts';
import { comparePositions } from '../../ledger/store/record-position.ts';
import { BlockCalendar } from '../../ledger/time/block-calendar.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { decodeTransaction, WireError } from '../../solana/transaction.ts';
import { BLOCKHASH_AGES, type KeptLedger } from './kept-ledgers.ts';
import { inTurns, type TellProgress } from './progress.ts';

/** What a ledger has, as far as it could be read. */
export interface LedgerFigures {
  readonly ledger: KeptLedger['name'];
  readonly genesisHash: string;
  /** The highest slot that anybody may have been told of. */
  readonly slot: number;
  /** Blocks of the ledger up to that slot, empty ones included. */
  readonly blocks: number;
  readonly accounts: number;
  /** Transactions that are kept. */
  readonly transactions: number;
  /** Transactions that were forgotten, as the oldest are. */
  readonly forgotten: number;
  /** Messages that it refuses to take again. */
  readonly messages: number;
}

/** A ledger that was read to its end. */
interface StoreCheck {
  readonly figures: LedgerFigures;
  /** What is not as it was written, a sentence each. */
  readonly damage: readonly string[];
}

/** Reads every value that is kept of a ledger, and each transaction by all the ways that lead to it. */
export async function checkStore(ledger: KeptLedger, tell: TellProgress): Promise<StoreCheck> {
  const { name, store, identity } = ledger;
  const damage = new Set<string>();
  const values = inTurns(store.checkAll(), `${name}: steps of values`, tell);
  for await (const faults of values) for (const { message } of faults) damage.add(message);
  let [accounts, transactions] = [0, 0];
  await notingDamage(damage, async () => {
    for await (const _ of inTurns(store.accounts(), `${name}: accounts`, tell)) accounts++;
  });
  await notingDamage(damage, async () => {
    const judge = judgeOf(ledger);
    const records = inTurns(store.recordsFrom(store.firstSlot), `${name}: transactions`, tell);
    for await (const record of records) {
      transactions++;
      const fault = judge(record);
      if (fault !== null) damage.add(`The transaction ${record.signature} of slot ${record.slot} ${fault}`);
    }
  });
  const uncounted = damage.size === 0 ? countFault(store, transactions) : null;
  if (uncounted !== null) damage.add(`${name}: ${uncounted}`);
  let messages = 0;
  await notingDamage(damage, async () => {
    for await (const _ of inTurns(store.messages(), `${name}: messages`, tell)) messages++;
  });
  const { slotCeiling: slot, recordCount, timeAnchors } = store;
  const { genesisHash } = identity;
  const blocks = new BlockCalendar(timeAnchors).heightUpTo(slot) + 1;
  const forgotten = recordCount - transactions;
  return {
    figures: { ledger: name, genesisHash, slot, blocks, accounts, transactions, forgotten, messages },
    damage: [...damage],
  };
}

/** Says what is wrong with a transaction; null where nothing is. They are to come in order. */
function judgeOf({
  name,
  store,
  identity,
  listings,
}: KeptLedger): (record: TransactionRecord) => string | null {
  const { timeAnchors, slotCeiling } = store;
  const { blockhashSeed } = identity;
  const blockhashAgeMax = BLOCKHASH_AGES[name];
  const messages = new LandedMessages({ blockhashSeed, timeAnchors, slotCeiling, blockhashAgeMax });
  let last = { slot: -1, index: 0 };
  return (record) => {
    const { slot, index } = record;
    if (comparePositions(record, last) <= 0) return 'is not behind the one that landed before it';
    last = { slot, index };
    if (slot > slotCeiling) return `is above the ledger's last slot, ${slotCeiling}`;
    if (firstSignatureOf(record) !== record.signature) return 'has bytes that are of another one';
    const found = store.record(record.signature);
    if (found?.slot !== slot || found.index !== index) return 'is not found by its signature';
    if (listedUnder(store, record, listings) === null) return 'is not listed under the addresses it names';
    const message = slot < store.messagesFrom ? undefined : messages.of(record.wire);
    if (message !== undefined && !store.hasMessage(message)) return 'would be taken once more';
    return null;
  };
}

function firstSignatureOf({ wire }: TransactionRecord): string | null {
  try {
    const [signature] = decodeTransaction(wire).signatures;
    return signature === undefined ? null : encodeBase58(signature);
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

/** Reads until what is read is damaged. */
async function notingDamage(damage: Set<string>, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'LEDGER_DAMAGED') throw error;
    damage.add(error.message);
  }
}
