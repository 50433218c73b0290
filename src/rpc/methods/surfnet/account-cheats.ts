import type { JsonOutput } from '../../../json/write-json.ts';
import type { AccountEntry } from '../../../ledger/genesis/genesis.ts';
import { isProgramData, programDataOf } from '../../../ledger/genesis/program-accounts.ts';
import type { LedgerOperator } from '../../../ledger/ledger.ts';
import { dryRunAccounts, inEngineOrder, needsDryRun } from '../../../ledger/provision/dry-run.ts';
import { BPF_LOADER_UPGRADEABLE, SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { rentOf } from '../../../programs/sysvars.ts';
import { type Account, type Rent, RENT_EXEMPT_EPOCH } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { invalidParams, methodNotFound } from '../../errors.ts';
import { baseUnits, bool, optional, string, struct, u64, verifyAddress } from '../../params/readers.ts';
import { defineMethod, inContext, type RpcNode } from '../../rpc-method.ts';

/**
 * Returns the operator interface of a node, which can change the ledger.
 *
 * @throws {RpcError} -32601 if the node has none, as if the method did not exist.
 */
export function operatorOf({ operator }: RpcNode): LedgerOperator {
  if (operator === undefined) throw methodNotFound();
  return operator;
}

/** An absent account. Setting an account to this value removes it. */
const NOTHING: Account = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
};

/**
 * Decodes hex, with or without `0x`.
 *
 * @throws {RpcError} -32602
 */
export function readHex(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) throw invalidParams('Invalid hex data provided');
  return new Uint8Array(Buffer.from(digits, 'hex'));
}

/** The fields of an account to change (Surfpool `AccountUpdate`). */
interface AccountUpdate {
  readonly lamports: bigint | undefined;
  readonly owner: string | undefined;
  readonly executable: boolean | undefined;
  readonly rentEpoch: bigint | undefined;
  /** The data in hex, with or without `0x`. */
  readonly data: string | undefined;
}

const accountUpdate = struct<AccountUpdate>('AccountUpdate', {
  lamports: optional(baseUnits),
  owner: optional(string),
  executable: optional(bool),
  rentEpoch: optional(u64),
  data: optional(string),
});

/**
 * `surfnet_setAccount([pubkey, { lamports?, owner?, executable?, rentEpoch?, data? }])`: changes or creates
 * an account. 0 lamports remove it. Without `lamports`, the account gets at least its rent-exempt minimum.
 */
export const surfnetSetAccount = defineMethod(
  'surfnet_setAccount',
  { required: [string, accountUpdate], optional: [] },
  (node, text, update) => {
    operatorOf(node);
    const address = verifyAddress(text);
    const before = node.ledger.getAccount(address) ?? NOTHING;
    return putAccounts(node, [[address, updated(before, update, rentOf(node.ledger))]]);
  },
);

function updated(before: Account, update: AccountUpdate, rent: Rent): Account {
  // A program account with 0 lamports would make the engine load missing code.
  if (update.lamports === 0n) return NOTHING;
  const data = update.data === undefined ? before.data : readHex(update.data);
  const minimum = rent.minimum(data.length);
  return {
    lamports: update.lamports ?? (before.lamports < minimum ? minimum : before.lamports),
    owner: update.owner === undefined ? before.owner : verifyAddress(update.owner),
    data,
    executable: update.executable ?? before.executable,
    rentEpoch: update.rentEpoch ?? before.rentEpoch,
  };
}

const resetConfig = struct<{ readonly includeOwnedAccounts: boolean | undefined }>('ResetAccountConfig', {
  includeOwnedAccounts: optional(bool),
});

/**
 * `surfnet_resetAccount([pubkey, { includeOwnedAccounts? }?])`: restores an account to its state in the
 * genesis, or on a fork to its current state on the cluster, or removes it. A program is restored with its
 * code. Only local accounts count as owned.
 */
export const surfnetResetAccount = defineMethod(
  'surfnet_resetAccount',
  { required: [string], optional: [resetConfig] },
  async (node, text, config) => {
    const operator = operatorOf(node);
    const addresses = addressesOf(node, verifyAddress(text), config?.includeOwnedAccounts === true);
    const originals = new Map(await operator.genesisAccounts());
    const others = addresses.filter((address) => !originals.has(address));
    for (const [address, account] of (await node.fork?.readAgain(others)) ?? []) {
      if (!originals.has(address)) originals.set(address, account);
    }
    return await putAccounts(node, entriesOf(node, addresses, originals));
  },
);

function addressesOf({ ledger }: RpcNode, address: Address, withOwned: boolean): Address[] {
  const account = ledger.getAccount(address);
  const codeAt = account && programDataOf(account);
  const owned = withOwned ? Array.from(ledger.programAccounts(address), ([at]) => at) : [];
  return [...new Set([...(codeAt === null ? [] : [codeAt]), ...owned, address])];
}

/** Returns the entries to set. They include the code of programs, which a fork may have just copied. */
function entriesOf(
  { ledger }: RpcNode,
  addresses: readonly Address[],
  originals: ReadonlyMap<Address, Account>,
): AccountEntry[] {
  const code = addresses.flatMap((address) => {
    const original = originals.get(address);
    return (original && programDataOf(original)) ?? [];
  });
  return [...new Set([...code, ...addresses])].flatMap((address): AccountEntry[] => {
    const original = originals.get(address);
    const isThere = original !== undefined || ledger.getAccount(address) !== null;
    return isThere ? [[address, original ?? NOTHING]] : [];
  });
}

/**
 * Sets accounts on the ledger, after a dry run of those that the engine parses. Returns null in a context
 * once they are durable. Compute the accounts in the same turn of the event loop, or changes made in between
 * are lost.
 *
 * @throws {ServiceError} PROVISION_INVALID if the engine rejects an account, INVALID_ARGUMENTS if only the
 *   ledger may change it.
 */
export async function putAccounts(node: RpcNode, wanted: readonly AccountEntry[]): Promise<JsonOutput> {
  const operator = operatorOf(node);
  const entries = withPrograms(wanted, node);
  if (entries.some(needsDryRun)) dryRunAccounts([...codeBehind(entries, node), ...entries]);
  await operator.setAccounts(inEngineOrder(entries));
  return inContext(node, node.ledger.head().slot, null);
}

/**
 * Adds the program account of each entry that contains program code, because the engine loads code only when
 * the program account is set.
 */
function withPrograms(entries: readonly AccountEntry[], { ledger }: RpcNode): readonly AccountEntry[] {
  const code = new Set(entries.filter(([, account]) => isProgramData(account)).map(([address]) => address));
  if (code.size === 0) return entries;
  const present = new Set(entries.map(([address]) => address));
  const programs = [...ledger.programAccounts(BPF_LOADER_UPGRADEABLE)].filter(([address, account]) => {
    const programData = account.executable ? programDataOf(account) : null;
    return programData !== null && code.has(programData) && !present.has(address);
  });
  return [...entries, ...programs];
}

function codeBehind(entries: readonly AccountEntry[], { ledger }: RpcNode): AccountEntry[] {
  const addresses = new Set(entries.map(([address]) => address));
  return entries.flatMap(([, account]): AccountEntry[] => {
    const address = programDataOf(account);
    const code = address === null || addresses.has(address) ? null : ledger.getAccount(address);
    return address === null || code === null ? [] : [[address, code]];
  });
}
