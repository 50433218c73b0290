import { z } from 'zod';
import { accountsAnswer } from '../../chain/upstream/rpc-answers.ts';
import { RpcClient } from '../../chain/upstream/rpc-client.ts';
import { ACCOUNTS_MAX } from '../../chain/upstream/rpc-ledger-client.ts';
import { createHttpTransport, type Transport } from '../../chain/upstream/transport.ts';
import { Upstream } from '../../chain/upstream/upstream.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { systemTimer, type Timer } from '../../ports/timer.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM, NATIVE_LOADER, SYSVAR_OWNER } from '../../programs/addresses.ts';
import { decodeLookupTable } from '../../programs/lookup-table.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LASTING } from '../../solana/commitment.ts';
import type { AccountEntry } from '../genesis/genesis.ts';
import { deployedAtGenesis, isProgramData, programDataOf } from '../genesis/program-accounts.ts';

/** A source from which accounts are copied. */
export interface AccountSource {
  /**
   * Reads the accounts at these addresses, in the same order; null for absent accounts.
   *
   * @throws {ServiceError} UPSTREAM_* if they cannot be read.
   */
  getAccounts(addresses: readonly Address[]): Promise<readonly (Account | null)[]>;
}

/** A source that owns connections. */
export interface ClusterAccounts extends AccountSource {
  /**
   * Reads the current slot of the cluster.
   *
   * @throws {ServiceError} UPSTREAM_* if it cannot be read.
   */
  slot(): Promise<number>;
  close(): void;
}

interface ClusterAccountsPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The timer; defaults to the system timer. */
  readonly timer?: Timer;
}

/** Maximum size of an answer, in bytes. A program is up to 14 MB in base64 (`MAX_PERMITTED_DATA_LENGTH`). */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;

/** Time limit for an answer of the maximum size, in ms. */
const ANSWER_MS_MAX = 60_000;

/**
 * Opens a source of a cluster's confirmed accounts. Connects at the first read.
 *
 * @param name the name of the cluster in errors, which do not contain the URL.
 */
export function openClusterAccounts(
  url: URL,
  ports: ClusterAccountsPorts,
  name = 'the cluster at --url',
): ClusterAccounts {
  const transport = patient(createHttpTransport());
  const upstream = new Upstream(name, [url], { timer: systemTimer, ...ports, transport });
  const rpc = new RpcClient(upstream, 'nowhere');
  return {
    async getAccounts(addresses) {
      const accounts: (Account | null)[] = [];
      for (let from = 0; from < addresses.length; from += ACCOUNTS_MAX) {
        accounts.push(...(await readBatch(rpc, addresses.slice(from, from + ACCOUNTS_MAX))));
      }
      return accounts;
    },
    slot: () => rpc.read({ method: 'getSlot', params: [{ commitment: LASTING }], result: z.int().min(0) }),
    close: () => transport.close(),
  };
}

async function readBatch(
  rpc: RpcClient,
  addresses: readonly Address[],
): Promise<readonly (Account | null)[]> {
  const { value } = await rpc.read({
    method: 'getMultipleAccounts',
    params: [addresses, { commitment: LASTING, encoding: 'base64' }],
    result: accountsAnswer,
    isUsable: (answer) => answer.value.length === addresses.length,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  return value;
}

/** Raises the time limit for large answers. */
function patient(transport: Transport): Transport {
  return {
    send: (request) => transport.send({ ...request, timeoutMs: ANSWER_MS_MAX }),
    close: () => transport.close(),
  };
}

/** Accounts to copy from a cluster. */
export interface CloneList {
  /** `--clone`: accounts that must exist on the cluster. */
  readonly accounts: readonly Address[];
  /** `--maybe-clone`: accounts that are skipped if absent. */
  readonly optional: readonly Address[];
  /** `--clone-upgradeable-program`: programs that must be upgradeable. */
  readonly programs: readonly Address[];
  /** `--deep-clone-address-lookup-table`: lookup tables, copied with the existing accounts they list. */
  readonly tables: readonly Address[];
}

/**
 * Reads accounts from a cluster as ledger entries, with the code of the upgradeable programs among them.
 *
 * @param isSkipped whether to skip an account that a lookup table lists.
 * @throws {ServiceError} PROVISION_INVALID if an account is missing or of the wrong kind; UPSTREAM_* if the
 *   cluster does not answer.
 */
export async function cloneAccounts(
  source: AccountSource,
  list: CloneList,
  isSkipped: (address: Address) => boolean = () => false,
): Promise<AccountEntry[]> {
  const addresses = [...new Set([...list.accounts, ...list.optional, ...list.programs, ...list.tables])];
  const found = new Map(await readExisting(source, addresses));
  const named = list.tables.flatMap((table) => addressesOf(requireAccount(found, TABLE_FLAG, table), table));
  const others = [...new Set(named)].filter((address) => !found.has(address) && !isSkipped(address));
  for (const [address, account] of await readExisting(source, others)) found.set(address, account);
  for (const address of list.accounts) requireAccount(found, '--clone', address);
  for (const address of list.programs) {
    if (programDataOf(requireAccount(found, PROGRAM_FLAG, address)) !== null) continue;
    throw refusal(PROGRAM_FLAG, address, 'it is not an upgradeable program');
  }
  const entries = toLocalEntries(new Map([...(await readCode(source, found)), ...found]));
  const copied = new Set(entries.map(([address]) => address));
  for (const address of list.accounts) if (!copied.has(address)) throw refusal('--clone', address, CLOSED);
  for (const address of list.programs) if (!copied.has(address)) throw refusal(PROGRAM_FLAG, address, CLOSED);
  return entries;
}

const PROGRAM_FLAG = '--clone-upgradeable-program';
const TABLE_FLAG = '--deep-clone-address-lookup-table';
const CLOSED = 'it was closed there';

function addressesOf({ owner, data }: Account, table: Address): readonly Address[] {
  const state = owner === ADDRESS_LOOKUP_TABLE_PROGRAM ? decodeLookupTable(data) : null;
  if (state === null) throw refusal(TABLE_FLAG, table, 'it is not a lookup table');
  return state.addresses;
}

/**
 * Converts accounts of a cluster to ledger entries. Drops sysvars and native programs, because every ledger
 * has its own. Drops closed programs, because the engine rejects programs without code.
 */
export function toLocalEntries(accounts: ReadonlyMap<Address, Account>): AccountEntry[] {
  const entries: AccountEntry[] = [];
  for (const [address, account] of accounts) {
    const code = programDataOf(account);
    const isClosed = code !== null && !accounts.has(code);
    if (!isClosed && !isPartOfLedger(account)) entries.push([address, makeLocal(account)]);
  }
  return entries;
}

/** Reads the code of the upgradeable programs among accounts, each in one request because it may be large. */
export async function readCode(
  source: AccountSource,
  accounts: ReadonlyMap<Address, Account>,
): Promise<ReadonlyMap<Address, Account>> {
  const code = new Map<Address, Account>();
  for (const account of accounts.values()) {
    const address = programDataOf(account);
    if (address === null || accounts.has(address)) continue;
    for (const [found, data] of await readExisting(source, [address])) code.set(found, data);
  }
  return code;
}

/** Reads the existing accounts among these addresses. */
export async function readExisting(
  source: AccountSource,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, Account>> {
  const accounts = addresses.length === 0 ? [] : await source.getAccounts(addresses);
  const existing = new Map<Address, Account>();
  for (const [index, account] of accounts.entries()) {
    if (account !== null) existing.set(addresses[index] as Address, account);
  }
  return existing;
}

function requireAccount(found: ReadonlyMap<Address, Account>, flag: string, address: Address): Account {
  const account = found.get(address);
  if (account === undefined) throw refusal(flag, address, 'it does not exist there');
  if (isPartOfLedger(account)) throw refusal(flag, address, 'each ledger maintains this account itself');
  return account;
}

function refusal(flag: string, address: Address, why: string): ServiceError {
  return new ServiceError(
    'PROVISION_INVALID',
    `${flag} ${address} cannot be copied from the cluster: ${why}`,
    {
      account: address,
    },
  );
}

/** `LookupTableMeta`: offsets of the slot of the last extension (u64) and of the index after it (u8). */
const LAST_EXTENDED_AT = 12;
const AUTHORITY_TAG_AT = 21;

/** Sets the slots of deployments and table extensions to 0, because they may be in the future here. */
function makeLocal(account: Account): Account {
  if (isProgramData(account)) return deployedAtGenesis(account);
  // Copied, because the data may be a small view of a large buffer, which would stay in memory.
  const data = new Uint8Array(account.data);
  const isTable = account.owner === ADDRESS_LOOKUP_TABLE_PROGRAM && decodeLookupTable(data) !== null;
  if (isTable) data.fill(0, LAST_EXTENDED_AT, AUTHORITY_TAG_AT);
  return { ...account, data };
}

/** Whether an account is a sysvar or a native program. Every ledger has its own. */
export function isPartOfLedger({ owner }: Account): boolean {
  return owner === SYSVAR_OWNER || owner === NATIVE_LOADER;
}
