import { Base64Text, LongText } from '../../../json/long-text.ts';
import type { JsonOutput, JsonOutputObject } from '../../../json/write-json.ts';
import { LOADERS } from '../../../ledger/engine/engine.ts';
import type { AccountReads, LedgerOperator, LedgerReads } from '../../../ledger/ledger.ts';
import { isPartOfLedger } from '../../../ledger/provision/clone-accounts.ts';
import { CLOCK_SYSVAR } from '../../../programs/sysvars.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import { viewOf } from '../../../solana/byte-reader.ts';
import type { KeyedAccount } from '../../accounts/account-lists.ts';
import { invalidParams } from '../../errors.ts';
import { invalidType, ParamFault, type ParamReader } from '../../params/param-reader.ts';
import {
  bool,
  optional,
  sequence,
  string,
  struct,
  tagged,
  u64,
  verifyAddress,
  withDefault,
} from '../../params/readers.ts';
import { showParsedAccount } from '../../parsed/parse-account.ts';
import { defineMethod, defineScan, inContext, type RpcMethod, type RpcNode } from '../../rpc-method.ts';
import { appendInSteps, filterInSteps, sortInSteps, type Steps, takeSnapshot } from '../../scan/scan.ts';
import { showEpochInfo } from '../cluster-methods.ts';
import { operatorOf, surfnetResetAccount, surfnetSetAccount } from './account-cheats.ts';
import {
  surfnetCloneProgramAccount,
  surfnetSetProgramAuthority,
  surfnetWriteProgram,
} from './program-cheats.ts';
import { surfnetSetTokenAccount } from './token-cheats.ts';

/** `surfnet_pauseClock()`: stops the slots. Returns getEpochInfo at processed. */
const surfnetPauseClock = defineMethod('surfnet_pauseClock', { required: [], optional: [] }, (node) => {
  operatorOf(node).pauseClock();
  return showEpochInfo(node, node.ledger.head());
});

/** `surfnet_resumeClock()`: resumes the slots. Returns getEpochInfo at processed. */
const surfnetResumeClock = defineMethod(
  'surfnet_resumeClock',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resumeClock();
    return showEpochInfo(node, node.ledger.head());
  },
);

/** A destination has one of these members (Surfpool `TimeTravelConfig`). Timestamps are Unix ms. */
const DESTINATIONS = ['absoluteEpoch', 'absoluteSlot', 'absoluteTimestamp'] as const;

interface Destination {
  readonly kind: (typeof DESTINATIONS)[number];
  readonly value: bigint;
}

const destination: ParamReader<Destination> = (value) => {
  if (!(value instanceof Map)) throw invalidType(value, 'map with a single key');
  const [member, ...others] = value;
  if (member === undefined || others.length > 0) throw new ParamFault('expected map with a single key');
  const kind = DESTINATIONS.find((name) => name === member[0]);
  if (kind !== undefined) return { kind, value: u64(member[1]) };
  const names = DESTINATIONS.map((name) => `\`${name}\``).join(', ');
  throw new ParamFault(`unknown variant \`${member[0]}\`, expected one of ${names}`);
};

/** The default destination is an hour ahead, as in Surfpool. */
const DEFAULT_AHEAD_MS = 3_600_000;

/**
 * `surfnet_timeTravel([{ absoluteEpoch } | { absoluteSlot } | { absoluteTimestamp }]?)`: jumps to a later
 * time. Returns getEpochInfo at processed. Clock and slot advance together. Travel to an epoch ends at its
 * first slot.
 */
const surfnetTimeTravel = defineMethod(
  'surfnet_timeTravel',
  { required: [], optional: [destination] },
  async (node, wanted) => {
    await operatorOf(node).travelTo(targetOf(node.ledger, wanted));
    return showEpochInfo(node, node.ledger.head());
  },
);

function targetOf(
  ledger: LedgerReads,
  wanted: Destination | undefined,
): Parameters<LedgerOperator['travelTo']>[0] {
  const value = wanted === undefined ? nowMs(ledger) + DEFAULT_AHEAD_MS : toSafe(wanted);
  switch (wanted?.kind) {
    case 'absoluteEpoch':
      return { slot: toSafe({ ...wanted, value: wanted.value * BigInt(ledger.epochSlots) }) };
    case 'absoluteSlot':
      return { slot: value };
    default: {
      const aheadMs = value - nowMs(ledger);
      if (aheadMs <= 0) throw invalidParams(`absoluteTimestamp ${value} is not later than now`);
      return { slot: ledger.head().slot + Math.ceil(aheadMs / ledger.slotMs), unixMs: value };
    }
  }
}

function toSafe({ kind, value }: Destination): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw invalidParams(`${kind} ${value} is too far away`);
}

/** Reads the time that programs see, in ms (Clock sysvar, `unix_timestamp` at 32). */
function nowMs(ledger: AccountReads): number {
  const { data } = ledger.getAccount(CLOCK_SYSVAR) as { data: Uint8Array };
  return Number(viewOf(data).getBigInt64(32, true)) * 1_000;
}

/** `surfnet_resetNetwork()`: deletes all state and starts a new ledger. */
const surfnetResetNetwork = defineMethod(
  'surfnet_resetNetwork',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resetLedger();
    return inContext(node, node.ledger.head().slot, null);
  },
);

/** Selection of accounts (Surfpool `ExportSnapshotFilter`). */
interface SnapshotFilter {
  readonly includeProgramAccounts: boolean | undefined;
  readonly includeAccounts: readonly string[] | undefined;
  readonly excludeAccounts: readonly string[] | undefined;
}

/** Surfpool's `ExportSnapshotConfig`. */
interface SnapshotConfig {
  readonly includeParsedAccounts: boolean | undefined;
  readonly filter: SnapshotFilter | undefined;
  readonly scope: 'network';
}

/** Surfpool `ExportSnapshotScope`. This ledger does not store account states before a transaction. */
const scope: ParamReader<'network'> = tagged<'network'>({
  network: { unit: 'network' },
  preTransaction: {
    content: () => {
      throw invalidParams(
        'scope preTransaction is not supported, because past account states are not stored; use network',
      );
    },
  },
});

const snapshotConfig = struct<SnapshotConfig>('ExportSnapshotConfig', {
  includeParsedAccounts: optional(bool),
  filter: optional(
    struct<SnapshotFilter>('ExportSnapshotFilter', {
      includeProgramAccounts: optional(bool),
      includeAccounts: optional(sequence(string)),
      excludeAccounts: optional(sequence(string)),
    }),
  ),
  scope: withDefault(scope, 'network'),
});

/**
 * `surfnet_exportSnapshot([{ includeParsedAccounts?, filter?, scope? }?])`: all accounts by address with
 * lamports, owner, data (base64) and optionally parsed data, as input of `--snapshot`. By default it omits
 * sysvars and native programs, which every ledger has, and all other programs with their code.
 * `includeAccounts` adds accounts of any kind. `excludeAccounts` always wins.
 */
const surfnetExportSnapshot = defineScan(
  'surfnet_exportSnapshot',
  { required: [], optional: [snapshotConfig] },
  function* (node, config) {
    operatorOf(node);
    const isWanted = readFilter(config?.filter);
    const isParsed = config?.includeParsedAccounts === true;
    const { slot } = node.ledger.head();
    const accounts = yield* takeSnapshot(node.ledger.accounts());
    const wanted = yield* filterInSteps(accounts, ([address, account]) => isWanted(address, account));
    const sorted = yield* sortInSteps(wanted, ([one], [other]) => (one < other ? -1 : 1));
    return inContext(
      node,
      slot,
      yield* showMembers(sorted, ([address, account]) => showSnapshot(node, address, account, isParsed)),
    );
  },
);

/** Writes an object with one member per account. The account's address is the name of the member. */
function* showMembers(
  accounts: readonly KeyedAccount[],
  show: (entry: KeyedAccount) => JsonOutput,
): Steps<LongText> {
  const text = new LongText();
  let separator = '{';
  for (const entry of accounts) {
    text.append(`${separator}"${entry[0]}":`);
    yield* appendInSteps(text, show(entry));
    separator = ',';
  }
  return text.append(separator === '{' ? '{}' : '}');
}

function readFilter(filter: SnapshotFilter | undefined): (address: Address, account: Account) => boolean {
  const included = new Set(filter?.includeAccounts?.map(verifyAddress));
  const excluded = new Set(filter?.excludeAccounts?.map(verifyAddress));
  const withPrograms = filter?.includeProgramAccounts === true;
  return (address, account) => {
    if (excluded.has(address)) return false;
    if (included.has(address)) return true;
    return !isPartOfLedger(account) && (withPrograms || !LOADERS.has(account.owner));
  };
}

/** Shows an account as Surfpool's `AccountSnapshot`. */
function showSnapshot(
  { ledger }: RpcNode,
  address: Address,
  account: Account,
  isParsed: boolean,
): JsonOutputObject {
  const parsed = isParsed ? showParsedAccount(address, account, (at) => ledger.getAccount(at)) : undefined;
  return {
    lamports: account.lamports,
    owner: account.owner,
    executable: account.executable,
    rentEpoch: account.rentEpoch,
    data: new Base64Text(account.data),
    parsedData: parsed ?? null,
  };
}

/**
 * Test methods that change the ledger in ways transactions cannot, with Surfpool's names and formats. Anyone
 * who can call them controls the ledger, so only nodes that no other machine can reach serve them.
 */
export const SURFNET_METHODS: readonly RpcMethod[] = [
  surfnetCloneProgramAccount,
  surfnetExportSnapshot,
  surfnetPauseClock,
  surfnetResetAccount,
  surfnetResetNetwork,
  surfnetResumeClock,
  surfnetSetAccount,
  surfnetSetProgramAuthority,
  surfnetSetTokenAccount,
  surfnetTimeTravel,
  surfnetWriteProgram,
];
