import type { AccountReads } from '../../../ledger/ledger.ts';
import { describeTransactionError } from '../../../ledger/transaction-errors.ts';
import { deriveDelegationRecord } from '../../../programs/delegation/pdas.ts';
import { decodeDelegationRecord, type DelegationRecord } from '../../../programs/delegation/state.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { decodeTokenAccount, isTokenProgram } from '../../../programs/token/state.ts';
import type { Address } from '../../../solana/address.ts';
import { invalidParams, invalidRequest, RpcError, TRANSACTION_VERIFICATION } from '../../errors.ts';
import { sequence, string, verifyAddress } from '../../params/readers.ts';
import { defineMethod, type RpcMethod } from '../../rpc-method.ts';
import { LEDGER_METHODS } from '../method-table.ts';
import { failedRun, sendTransactionOr } from '../send-transaction.ts';
import { requestTokenAirdrop } from '../token-methods.ts';
import { requestAirdrop } from '../transaction-methods.ts';

/** Maximum number of accounts per call, the same as per transaction (`MAX_TX_ACCOUNT_LOCKS`). */
const ACCOUNTS_MAX = 128;

/**
 * `getBlockhashForAccounts([addresses])`: a blockhash for a transaction that writes to these accounts
 * (MagicBlock's router). The addresses are validated but have no effect, because there is only one rollup.
 * Unlike getLatestBlockhash, it returns no context.
 */
const getBlockhashForAccounts = defineMethod(
  'getBlockhashForAccounts',
  { required: [sequence(string)], optional: [] },
  ({ ledger }, texts) => {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    for (const text of texts) verifyAddress(text);
    const { blockhash, lastValidBlockHeight } = ledger.head();
    return { blockhash, lastValidBlockHeight };
  },
);

/**
 * `getDelegationStatus([address])`: whether an account is delegated, to which validator, and the URL of that
 * validator (MagicBlock's router; the ephemeral validator reports only `isDelegated`). A token account counts
 * as delegated if its eATA is.
 */
const getDelegationStatus = defineMethod(
  'getDelegationStatus',
  { required: [string], optional: [] },
  ({ ledger, publicUrl }, text) => {
    const address = verifyAddress(text);
    const record = recordOf(ledger, address) ?? recordOf(ledger, projectedEata(ledger, address));
    if (record === null) return { isDelegated: false };
    const { authority, owner, delegationSlot, lamports } = record;
    return {
      delegationRecord: { authority, delegationSlot, lamports, owner },
      // The node does not know the URLs of other validators.
      fqdn: authority === ledger.identity ? publicUrl : undefined,
      isDelegated: true,
    };
  },
);

function recordOf(ledger: AccountReads, address: Address | null): DelegationRecord | null {
  if (address === null) return null;
  return decodeDelegationRecord(ledger.getAccount(deriveDelegationRecord(address).address));
}

function projectedEata(ledger: AccountReads, address: Address): Address | null {
  const account = ledger.getAccount(address);
  if (account === null || !isTokenProgram(account.owner)) return null;
  const token = decodeTokenAccount(account.data);
  return token && deriveEata(token.owner, token.mint).address;
}

/** `getHighestSnapshotSlot()`: slot 0, like magicblock-validator 0.14.10, which also has no snapshots. */
const getHighestSnapshotSlot = defineMethod('getHighestSnapshotSlot', { required: [], optional: [] }, () => ({
  full: 0,
  incremental: null,
}));

/**
 * `getRoutes()`: the list of rollups (MagicBlock's router), which contains only this one: `identity`, `fqdn`
 * (its URL), `baseFee` in lamports, and `blockTimeMs`. The list is empty if the node's URL is not set, as on
 * the ephemeral validator.
 */
const getRoutes = defineMethod(
  'getRoutes',
  { required: [], optional: [] },
  ({ publicUrl, ledger: { identity, slotMs } }) =>
    publicUrl === undefined ? [] : [{ baseFee: 0, blockTimeMs: slotMs, fqdn: publicUrl, identity }],
);

/** The airdrop methods, which a rollup rejects with the ephemeral validator's message. */
const NO_FAUCET: readonly RpcMethod[] = [requestAirdrop, requestTokenAirdrop].map(({ name }) => ({
  name,
  call() {
    throw invalidRequest('free airdrop faucet is disabled');
  },
}));

/**
 * `sendTransaction` with the ephemeral validator's error code and message. Unlike on that validator, `data`
 * contains the simulation, as on a ledger node, so clients can read the logs from it.
 */
const sendTransaction = sendTransactionOr((simulation, err) => {
  const message = `transaction verification error: ${describeTransactionError(err)}`;
  return new RpcError(TRANSACTION_VERIFICATION, message, failedRun(simulation, err));
});

const OWN: readonly RpcMethod[] = [
  getBlockhashForAccounts,
  getDelegationStatus,
  getHighestSnapshotSlot,
  getRoutes,
  sendTransaction,
  ...NO_FAUCET,
];
const OWN_NAMES: ReadonlySet<string> = new Set(OWN.map(({ name }) => name));

/**
 * All methods of a rollup node: a ledger node's methods and its own, with airdrops disabled. Transactions are
 * rejected with the ephemeral validator's messages. All other answers are Agave's.
 */
export const ROLLUP_METHODS: readonly RpcMethod[] = [
  ...LEDGER_METHODS.filter(({ name }) => !OWN_NAMES.has(name)),
  ...OWN,
];
