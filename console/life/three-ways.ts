import { deedOf, wholeOf, type Deed } from '../history/deed.ts';
import { ownedDeed, type WalletAccounts } from '../history/wallet-deeds.ts';
import { PARSED, type ParsedTransaction } from '../history/parsed-transaction.ts';
import { eataOf, type AccountValue, type ShownEata, tokensIn } from '../history/accounts.ts';
import { askStatus, statusIn, type LandedStatus } from './step-words.ts';
import type { LedgerReader } from '../readers/reader.ts';
import type { Wire } from '../readers/wire.ts';

/** What one reader was answered to the calls of the table. */
export interface ReaderAnswers {
  /** The payment as the reader sees it; null if it sees none. */
  readonly payment: Deed | null;
  readonly paymentWire: Wire;
  /** Whether the exact signature has landed; null if it is not known. */
  readonly status: LandedStatus | null;
  readonly statusWire: Wire;
  readonly payer: BalanceAnswer;
  readonly payee: BalanceAnswer | null;
}

/** A balance as one reader sees it. */
export interface BalanceAnswer {
  /** Base units; null if the ledger answers that there is no such account. */
  readonly amount: bigint | null;
  /** Whether it is the balance of the last settlement, and not the current one. */
  readonly isStale: boolean;
  /** The balance before and after the payment, if its transaction shows both; else null. */
  readonly change: readonly [before: bigint, after: bigint] | null;
  readonly wire: Wire;
}

/** Asks one reader all that the table shows of it: one batch. */
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

/** Base is asked for the eATA, the rollup for the token account. */
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

/** What a transaction says of a token account's balance before and after it. */
function changeOf({ transaction, meta }: ParsedTransaction, ata: string): readonly [bigint, bigint] | null {
  const index = transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey === ata);
  const [before, after] = [meta?.preTokenBalances, meta?.postTokenBalances].map((balances) =>
    wholeOf(balances?.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount),
  );
  return before == null || after == null ? null : [before, after];
}
