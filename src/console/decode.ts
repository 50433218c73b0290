import { z } from 'zod';
import * as programs from '../programs/addresses.ts';
import {
  decodeCommitRecord,
  decodeDelegationMetadata,
  decodeRecordData,
  decodeUndelegationRequest,
} from '../programs/delegation/state.ts';
import { decodeShuttle } from '../programs/ephemeral-token/layout-b/shuttle.ts';
import { decodeStealthPool } from '../programs/ephemeral-token/layout-b/stealth-pool.ts';
import { decodeTransferQueue } from '../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata, deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import { decodeEata, decodeVault } from '../programs/ephemeral-token/state.ts';
import { deriveStealthPool } from '../programs/ephemeral-token/stealth-pool.ts';
import { decodeLoaderState } from '../programs/loader-state.ts';
import { decodeLookupTable } from '../programs/lookup-table.ts';
import { decodePermission, derivePermission } from '../programs/permission/state.ts';
import { listExtensions } from '../programs/token/mint-extensions.ts';
import { decodeMint, decodeTokenAccount } from '../programs/token/state.ts';
import { type Address, isAddress } from '../solana/address.ts';
import { tryParse } from '../solana/byte-reader.ts';
import type { AccountField, AccountInWords } from './answers.ts';
import { ADDRESS, type ApiRoute, BASE64_BYTES, createPostRoute } from './api-route.ts';

/** Maximum number of accounts in one request. */
const ACCOUNTS_MAX = 100;

/** Maximum body size, in bytes. The largest payment program is 1.2 MB in base64. */
const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** Maximum number of list entries shown, which is the size of a lookup table. */
const LISTED_MAX = 256;

/** An account that the page has read. */
const ACCOUNT = z.object({
  address: ADDRESS,
  owner: ADDRESS,
  data: BASE64_BYTES,
});

/** `POST /console/api/decode`: decodes the bytes of accounts. */
export const DECODE_ROUTE: ApiRoute = createPostRoute('/console/api/decode', BODY_BYTES_MAX, {
  input: z.array(ACCOUNT).max(ACCOUNTS_MAX, { error: `at most ${ACCOUNTS_MAX} accounts` }),
  run: (accounts) => accounts.map(decodeAccount),
});

/** Decodes an account's bytes. It reads no ledger, because the caller may lack permission to see more. */
export function decodeAccount({ address, owner, data }: z.infer<typeof ACCOUNT>): AccountInWords {
  for (const decode of DECODERS.get(owner) ?? []) {
    const known = decode(address, data);
    if (known === null) continue;
    const { kind, state } = known;
    const title = TITLES[kind] ?? inWords(kind);
    return { kind, title, fields: Object.entries(state).flatMap((member) => fieldsOf(kind, ...member)) };
  }
  return { kind: 'unknown', title: 'Account', bytes: data.length };
}

interface Known {
  readonly kind: string;
  readonly state: object;
}

type Decode = (address: Address, data: Uint8Array) => Known | null;

/** Creates a decoder. A derivable address must match, because several account types share a size. */
const form =
  <State extends object>(
    kind: string,
    decode: (data: Uint8Array, address: Address) => State | null,
    addressOf?: (state: State) => Address,
  ): Decode =>
  (address, data) => {
    const state = decode(data, address);
    return state === null || (addressOf !== undefined && addressOf(state) !== address)
      ? null
      : { kind, state };
  };

const TOKEN_FORMS = [
  form('mint', (data) => withExtensions(decodeMint(data), data)),
  form('tokenAccount', (data) => withExtensions(decodeTokenAccount(data), data)),
];

const EPHEMERAL_TOKEN_FORMS = [
  form('eata', decodeEata, ({ owner, mint }) => deriveEata(owner, mint).address),
  form('vault', (data, address) => decodeVault(address, data)),
  form('stealthPool', decodeStealthPool, ({ handle }) => deriveStealthPool(handle).address),
  form('queue', decodeTransferQueue, ({ mint, validator }) => deriveTransferQueue(mint, validator).address),
  form('shuttle', decodeOwnShuttle),
];

const PERMISSION = form(
  'permission',
  (data) => {
    const permission = decodePermission(data);
    if (permission === null) return null;
    const { account, members } = permission;
    return { account, isPrivate: members !== null, members: members ?? [] };
  },
  ({ account }) => derivePermission(account).address,
);

/** Decoders by owner program, which defines the format. */
const DECODERS: ReadonlyMap<Address, readonly Decode[]> = new Map([
  [programs.SYSTEM_PROGRAM, [form('system', (data) => (data.length === 0 ? {} : null))]],
  [programs.TOKEN_PROGRAM, TOKEN_FORMS],
  [programs.TOKEN_2022_PROGRAM, TOKEN_FORMS],
  [programs.EPHEMERAL_TOKEN_PROGRAM, EPHEMERAL_TOKEN_FORMS],
  [programs.PERMISSION_PROGRAM, [PERMISSION]],
  [
    programs.DELEGATION_PROGRAM,
    [
      form('delegationRecord', decodeRecordData),
      form('delegationMetadata', decodeDelegationMetadata),
      form('commitRecord', decodeCommitRecord),
      form('undelegationRequest', decodeUndelegationRequest),
      // A delegated account belongs to this program but keeps its format.
      ...EPHEMERAL_TOKEN_FORMS,
      PERMISSION,
    ],
  ],
  [programs.ADDRESS_LOOKUP_TABLE_PROGRAM, [form('lookupTable', decodeLookupTable)]],
  [programs.BPF_LOADER_UPGRADEABLE, [(_, data) => decodeLoaded(data)]],
  // An old loader, whose accounts contain only code.
  [programs.BPF_LOADER_2, [form('program', (data) => (isElf(data) ? {} : null))]],
]);

/** Adds Token-2022 extensions by number, as bytes. */
function withExtensions<State>(state: State | null, data: Uint8Array): State | null {
  const extensions = listExtensions(data) ?? [];
  const named = Object.fromEntries(extensions.map(({ type, value }) => [`extension${type}`, value]));
  return state && { ...state, ...named };
}

/** Checks the bump and the trailing zeros, because the address depends on a mint that the data lacks. */
function decodeOwnShuttle(data: Uint8Array): ReturnType<typeof decodeShuttle> {
  const shuttle = decodeShuttle(data);
  return shuttle?.bump === 0 || data.subarray(69).some((byte) => byte !== 0) ? null : shuttle;
}

/** Omits the uploaded bytes, which the page already has. */
function decodeLoaded(data: Uint8Array): Known | null {
  const state = tryParse(() => decodeLoaderState(data));
  if (state === undefined || state.type === 'uninitialized') return null;
  const { type, ...members } = state;
  return { kind: type, state: 'bytes' in members ? { ...members, bytes: undefined } : members };
}

const isElf = (data: Uint8Array): boolean =>
  Buffer.from(data.subarray(0, 4)).equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46]));

/** Titles of kinds that differ from their names. */
const TITLES: Readonly<Record<string, string>> = { eata: 'Ephemeral token account', system: 'Wallet' };

/** Labels of members that differ from their names, some by kind. */
const LABELS: Readonly<Record<string, string>> = {
  addresses: 'Address',
  amount: 'Balance',
  'buffer.authority': 'Write authority',
  commitFrequencyMs: 'Commit frequency, ms',
  commitNonce: 'Commits',
  'commitRecord.nonce': 'Commit',
  crankTaskId: 'Payout task',
  deactivationSlot: 'Deactivated in slot',
  delegatedAmount: 'Delegate may spend',
  'delegationRecord.authority': 'Delegated to',
  'delegationRecord.lamports': 'Lamports at delegation',
  'delegationRecord.owner': 'Program of the account',
  delegationSlot: 'Delegated in slot',
  destinations: 'Key',
  expiresAtSlot: 'Can be taken from slot',
  isPrivate: 'Only its members can read it',
  lastExtendedFrom: 'From address',
  lastExtendedSlot: 'Last extended in slot',
  members: 'Member',
  'members.flags': 'Rights',
  nextGroupId: 'Next payment',
  nextTaskId: 'Next transfer',
  'programData.authority': 'Upgrade authority',
  rentExemptReserve: 'Rent of wrapped SOL, lamports',
  rentPayer: 'Rent goes back to',
  rentRefund: 'Rent goes back to',
  seeds: 'Seed',
  slot: 'Deployed in slot',
  splitAcrossKeys: 'Parts may go to different keys',
  tokenAccount: 'Held in',
  transfers: 'Transfer',
  'transfers.amount': 'Amount',
  'transfers.clientRefId': 'Reference',
  'transfers.createsDestinationAta': 'Creates the account',
  'transfers.destinationOwner': 'To',
  'transfers.groupId': 'Payment',
  'transfers.readyAtMs': 'Due, Unix ms',
  'transfers.sourceOwner': 'From',
  'transfers.taskId': 'Number',
  undelegationRequester: 'Undelegation requested by',
};

/** Members that are amounts in base units of the account's mint. */
const AMOUNT = /^supply$|amount$/i;

const labelOf = (kind: string, name: string): string =>
  LABELS[`${kind}.${name}`] ?? LABELS[name] ?? inWords(name);

function fieldsOf(kind: string, name: string, value: unknown): readonly AccountField[] {
  if (value === undefined) return [];
  const label = labelOf(kind, name);
  if (!Array.isArray(value)) return [fieldOf(name, label, value)];
  return value.slice(0, LISTED_MAX).flatMap((entry: unknown, index) => {
    const [ownName, ownLabel] = [`${name}${index + 1}`, `${label} ${index + 1}`];
    if (typeof entry !== 'object' || entry instanceof Uint8Array) return [fieldOf(ownName, ownLabel, entry)];
    return Object.entries(entry ?? {}).map(([part, inner]) =>
      fieldOf(`${ownName}.${part}`, `${ownLabel}: ${labelOf(name, part)}`, inner),
    );
  });
}

function fieldOf(name: string, label: string, value: unknown): AccountField {
  const field = (type: AccountField['type'], text: string | null): AccountField => ({
    name,
    label,
    value: text,
    type,
  });
  if (value === null) return field('text', null);
  if (value instanceof Uint8Array) return field('bytes', Buffer.from(value).toString('base64'));
  if (typeof value === 'boolean') return field('text', value ? 'yes' : 'no');
  if (AMOUNT.test(name)) return field('amount', String(value));
  if (typeof value === 'bigint' || typeof value === 'number')
    return field('text', value.toLocaleString('en-US'));
  const text = String(value);
  // A handle is free text, even if it looks like an address.
  return field(name !== 'handle' && isAddress(text) ? 'address' : 'text', text);
}

/** Writes a name as words: `clientRefId` becomes `Client ref id`. */
function inWords(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
