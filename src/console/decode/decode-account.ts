import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_2,
  BPF_LOADER_UPGRADEABLE,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { derivePermission } from '../../programs/permission/pdas.ts';
import { decodePermission } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';
import type { DecodedAccount, UnknownAccount } from '../answers.ts';
import { decodeDelegation } from './delegation.ts';
import { decodeEphemeralToken } from './ephemeral-token.ts';
import { decodePermissionAccount } from './permission.ts';
import { decodeFinalProgram, decodeSystem, decodeTable, decodeUpgradeable } from './small-accounts.ts';
import { decodeToken } from './token.ts';

/** An account as its reader has it. */
interface GivenAccount {
  readonly address: Address;
  /** The program that owns it. */
  readonly owner: Address;
  readonly data: Uint8Array;
}

type Decode = (address: Address, data: Uint8Array) => DecodedAccount | null;

/** Accounts are decoded by the program that owns them: only it decides what their bytes mean. */
const DECODERS: ReadonlyMap<Address, Decode> = new Map<Address, Decode>([
  [SYSTEM_PROGRAM, (_, data) => decodeSystem(data)],
  [TOKEN_PROGRAM, (_, data) => decodeToken(data)],
  [TOKEN_2022_PROGRAM, (_, data) => decodeToken(data)],
  [EPHEMERAL_TOKEN_PROGRAM, decodeEphemeralToken],
  // A delegated account belongs to it and keeps its form.
  [DELEGATION_PROGRAM, (address, data) => decodeDelegation(data) ?? decodeDelegated(address, data)],
  [PERMISSION_PROGRAM, (_, data) => decodePermissionAccount(data)],
  [ADDRESS_LOOKUP_TABLE_PROGRAM, (_, data) => decodeTable(data)],
  [BPF_LOADER_UPGRADEABLE, (_, data) => decodeUpgradeable(data)],
  [BPF_LOADER_2, (_, data) => decodeFinalProgram(data)],
]);

/** A permission is delegated like any other account. */
function decodeDelegated(address: Address, data: Uint8Array): DecodedAccount | null {
  const decoded = decodeEphemeralToken(address, data);
  if (decoded !== null) return decoded;
  const permission = decodePermission(data);
  const isThere = permission !== null && derivePermission(permission.account).address === address;
  return isThere ? decodePermissionAccount(data) : null;
}

/** Decodes the bytes of an account, and nothing besides: whatever its reader may not see is not asked for. */
export function decodeAccount({ address, owner, data }: GivenAccount): DecodedAccount | UnknownAccount {
  return DECODERS.get(owner)?.(address, data) ?? { kind: 'unknown', bytes: data.length };
}
