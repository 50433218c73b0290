import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import type { JsonOutput, JsonOutputObject } from '../json/json-value.ts';
import { ByteReader, tryParse, Unparsable } from './byte-reader.ts';
import { sortMembers } from './sort-members.ts';

/** Where Token-2022's extensions begin: behind the length of a plain token account and the account-type byte. */
const EXTENSIONS_AT = TOKEN_ACCOUNT_BYTES + 1;

/** Bytes of the type and the length before each extension. */
const EXTENSION_HEADER_BYTES = 4;

/** The type that stands for unused room. */
const UNINITIALIZED = 0;

/** One kind of extension: its name, and what it says if it says anything. */
interface ExtensionForm {
  readonly extension: string;
  state?(value: ByteReader): JsonOutputObject;
}

/**
 * The extensions of a Token-2022 mint or account as Agave shows them (`UiExtension`), in the order they are stored;
 * none for an account without extensions. Undefined when there is one that is not known here, or that is malformed.
 */
export function showExtensions(data: Uint8Array): readonly JsonOutput[] | undefined {
  if (data.length <= EXTENSIONS_AT) return [];
  return tryParse(() => {
    const reader = new ByteReader(data.subarray(EXTENSIONS_AT));
    const extensions: JsonOutput[] = [];
    while (reader.remaining >= EXTENSION_HEADER_BYTES) {
      const type = reader.u16();
      if (type === UNINITIALIZED) break;
      extensions.push(showExtension(FORMS[type], new ByteReader(reader.take(reader.u16()))));
    }
    return extensions;
  });
}

function showExtension(form: ExtensionForm | undefined, value: ByteReader): JsonOutput {
  if (form === undefined) throw new Unparsable('unknown extension');
  return form.state === undefined
    ? { extension: form.extension }
    : { extension: form.extension, state: sortMembers(form.state(value)) };
}

/** An address of which 32 zeros mean none (`OptionalNonZeroPubkey`). */
function addressOrNull(value: ByteReader): string | null {
  const address = value.address();
  return address === ZERO_ADDRESS ? null : address;
}

const ZERO_ADDRESS = '1'.repeat(32);

const flag = (value: ByteReader): boolean => value.u8() !== 0;

const transferFee = (value: ByteReader): JsonOutputObject => ({
  epoch: value.u64(),
  maximumFee: value.u64(),
  transferFeeBasisPoints: value.u16(),
});

/** Borsh: a u32 length and UTF-8. */
const borshText = (value: ByteReader): string => value.text(value.u32());

function borshTextPairs(value: ByteReader): JsonOutput {
  const count = value.u32();
  if (count > value.remaining) throw new Unparsable('too few bytes');
  return Array.from({ length: count }, () => [borshText(value), borshText(value)]);
}

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/**
 * By type (`ExtensionType` and the structs of `spl-token-2022-interface`). Missing on purpose: the confidential ones,
 * and those that change how amounts are shown (10 interest, 25 scale), as accounts of such mints need the clock.
 */
const FORMS: Readonly<Record<number, ExtensionForm>> = {
  1: {
    extension: 'transferFeeConfig',
    state: (value) => ({
      transferFeeConfigAuthority: addressOrNull(value),
      withdrawWithheldAuthority: addressOrNull(value),
      withheldAmount: value.u64(),
      olderTransferFee: transferFee(value),
      newerTransferFee: transferFee(value),
    }),
  },
  2: { extension: 'transferFeeAmount', state: (value) => ({ withheldAmount: value.u64() }) },
  3: { extension: 'mintCloseAuthority', state: (value) => ({ closeAuthority: addressOrNull(value) }) },
  6: {
    extension: 'defaultAccountState',
    state: (value) => ({ accountState: ACCOUNT_STATES[value.u8()] ?? ACCOUNT_STATES[0] }),
  },
  7: { extension: 'immutableOwner' },
  8: { extension: 'memoTransfer', state: (value) => ({ requireIncomingTransferMemos: flag(value) }) },
  9: { extension: 'nonTransferable' },
  11: { extension: 'cpiGuard', state: (value) => ({ lockCpi: flag(value) }) },
  12: { extension: 'permanentDelegate', state: (value) => ({ delegate: addressOrNull(value) }) },
  13: { extension: 'nonTransferableAccount' },
  14: {
    extension: 'transferHook',
    state: (value) => ({ authority: addressOrNull(value), programId: addressOrNull(value) }),
  },
  15: { extension: 'transferHookAccount', state: (value) => ({ transferring: flag(value) }) },
  18: {
    extension: 'metadataPointer',
    state: (value) => ({ authority: addressOrNull(value), metadataAddress: addressOrNull(value) }),
  },
  19: {
    extension: 'tokenMetadata',
    state: (value) => ({
      updateAuthority: addressOrNull(value),
      mint: value.address(),
      name: borshText(value),
      symbol: borshText(value),
      uri: borshText(value),
      additionalMetadata: borshTextPairs(value),
    }),
  },
  20: {
    extension: 'groupPointer',
    state: (value) => ({ authority: addressOrNull(value), groupAddress: addressOrNull(value) }),
  },
  21: {
    extension: 'tokenGroup',
    state: (value) => ({
      updateAuthority: addressOrNull(value),
      mint: value.address(),
      size: value.u64(),
      maxSize: value.u64(),
    }),
  },
  22: {
    extension: 'groupMemberPointer',
    state: (value) => ({ authority: addressOrNull(value), memberAddress: addressOrNull(value) }),
  },
  23: {
    extension: 'tokenGroupMember',
    state: (value) => ({ mint: value.address(), group: value.address(), memberNumber: value.u64() }),
  },
  26: {
    extension: 'pausableConfig',
    state: (value) => ({ authority: addressOrNull(value), paused: flag(value) }),
  },
  27: { extension: 'pausableAccount' },
};
