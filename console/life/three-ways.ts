import { deedOf, wholeOf, type Deed } from '../history/deed.ts';
import { ownedDeed, type WalletAccounts } from '../history/wallet-deeds.ts';
import { PARSED, type ParsedTransaction } from '../history/parsed-transaction.ts';
import { eataOf, type AccountValue, type ShownEata, tokensIn } from '../history/accounts.ts';
import { askStatus, statusIn, type LandedStatus } from './step-words.ts';
import type { LedgerReader } from '../readers/reader.ts';
import type { Wire } from '../readers/wire.ts';

/** The answers of one reader in the comparison. */
export interface ReaderAnswers {
  /** The payment; null if the reader cannot see it. */
  readonly payment: Deed | null;
  readonly paymentWire: Wire;
  /** Status of the payment's signature; null if unknown. */
  readonly status: LandedStatus | null;
  readonly statusWire: Wire;
  readonly payer: BalanceAnswer;
  readonly payee: BalanceAnswer | null;
}

/** A balance that one reader got. */
export interface BalanceAnswer {
  /** Base units; null if the ledger returns no such account. */
  readonly amount: bigint | null;
  /** Whether the balance is as of the last settlement. */
  readonly isStale: boolean;
  /** The balance before and after the payment, if its transaction shows both; else null. */
  readonly change: readonly [before: bigint, after: bigint] | null;
  readonly wire: Wire;
}

/** Asks one reader for its column of the comparison, in one batch. */
export async function askThreeWays(
  reader: LedgerReader,
  signature: string,
  payer: WalletAccounts,
  payee: WalletAccounts | null,
  known: readonly WalletAccounts[],
): Promise<ReaderAnswers> {
  const [transaction, statuses, ofPayer, ofPayee] = await Promise.all([
    reader.call<ParsedTransaction | null>('getTransaction', [signature, PARSED]),
    askStatus(reader, signature),
    balance(reader, payer),
    payee === null ? null : balance(reader, payee),
  ]);
  const found = transaction.kind === 'value' ? transaction.value : null;
  return {
    payment: found === null ? null : ownedDeed(deedOf(reader.ledger, found, null), known),
    paymentWire: transaction.wire,
    status: statusIn(statuses),
    statusWire: statuses.wire,
    payer: { ...ofPayer, change: found === null ? null : changeOf(found, payer.ata) },
    payee: ofPayee,
  };
}

/** Reads a balance: the eATA on base, the token account on the rollup. */
async function balance(reader: LedgerReader, { ata, eata }: WalletAccounts): Promise<BalanceAnswer> {
  if (reader.ledger === 'base') {
    const answer = await reader.call<AccountValue>('getAccountInfo', [eata, { encoding: 'base64' }]);
    const shown: ShownEata | null = answer.kind === 'value' ? eataOf(answer.value, answer.wire.slot) : null;
    return {
      amount: shown?.amount ?? null,
      isStale: shown?.isDelegated ?? false,
      change: null,
      wire: answer.wire,
    };
  }
  const answer = await reader.call<AccountValue>('getAccountInfo', [ata, { encoding: 'jsonParsed' }]);
  return {
    amount: answer.kind === 'value' ? tokensIn(answer.value) : null,
    isStale: false,
    change: null,
    wire: answer.wire,
  };
}

/** The balance of a token account before and after a transaction; null unless it shows both. */
function changeOf({ transaction, meta }: ParsedTransaction, ata: string): readonly [bigint, bigint] | null {
  const index = transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey === ata);
  const [before, after] = [meta?.preTokenBalances, meta?.postTokenBalances].map((balances) =>
    wholeOf(balances?.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount),
  );
  return before == null || after == null ? null : [before, after];
}
