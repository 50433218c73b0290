import { listExtensions, type StoredExtension } from '../../programs/token/mint-extensions.ts';
import { Unparsable } from '../../solana/byte-reader.ts';

/** A kind of authority. */
interface AuthorityType {
  readonly name: string;
  readonly of: 'mint' | 'account';
}

/** By number (`AuthorityType` in `spl-token-2022-interface`). All but two apply to the mint. */
const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
] as const;

/** By number (`ExtensionType` in `spl-token-2022-interface`). */
const EXTENSION_TYPES = [
  'uninitialized',
  'transferFeeConfig',
  'transferFeeAmount',
  'mintCloseAuthority',
  'confidentialTransferMint',
  'confidentialTransferAccount',
  'defaultAccountState',
  'immutableOwner',
  'memoTransfer',
  'nonTransferable',
  'interestBearingConfig',
  'cpiGuard',
  'permanentDelegate',
  'nonTransferableAccount',
  'transferHook',
  'transferHookAccount',
  'confidentialTransferFeeConfig',
  'confidentialTransferFeeAmount',
  'metadataPointer',
  'tokenMetadata',
  'groupPointer',
  'tokenGroup',
  'groupMemberPointer',
  'tokenGroupMember',
  'confidentialMintBurn',
  'scaledUiAmount',
  'pausable',
  'pausableAccount',
  'permissionedBurn',
] as const;

/** @throws {Unparsable} for an unknown number. */
export function authorityTypeName(number: number): AuthorityType {
  const name = AUTHORITY_TYPES[number];
  if (name === undefined) throw new Unparsable('unknown authority type');
  return { name, of: name === 'accountOwner' || name === 'closeAccount' ? 'account' : 'mint' };
}

/** @throws {Unparsable} for an unknown number. */
export function extensionTypeName(number: number): string {
  const name = EXTENSION_TYPES[number];
  if (name === undefined) throw new Unparsable('unknown extension');
  return name;
}

/** The number of extension types. */
const EXTENSION_TYPE_COUNT = EXTENSION_TYPES.length;

/** By number (`AccountState` in `spl-token-2022-interface`). */
const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** The name of a token account's state; undefined for an unknown number. */
export function accountStateName(number: number): string | undefined {
  return ACCOUNT_STATES[number];
}

export type { StoredExtension };

/**
 * The extensions of a Token-2022 mint or account in storage order; empty for an account without any.
 *
 * @throws {Unparsable} for an unknown type and for lengths that do not fit.
 */
export function readExtensions(data: Uint8Array): readonly StoredExtension[] {
  const extensions = listExtensions(data);
  if (extensions === null) throw new Unparsable('too few bytes');
  if (extensions.some(({ type }) => type >= EXTENSION_TYPE_COUNT)) throw new Unparsable('unknown extension');
  return extensions;
}
