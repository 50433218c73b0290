import { addressOf, type Address } from '../../solana/address.ts';

/** SPL Token `Multisig`: m, n, is_initialized, then eleven addresses, zero if unused. */
const MULTISIG_BYTES = 355;
const SIGNERS_AT = 3;
const SIGNERS_MAX = 11;

interface TokenMultisig {
  readonly requiredSigners: number;
  readonly validSigners: number;
  readonly signers: readonly Address[];
}

/** Decodes an initialised multisig of the token programs; null for other bytes. */
export function decodeTokenMultisig(data: Uint8Array): TokenMultisig | null {
  if (data.length !== MULTISIG_BYTES || data[2] !== 1) return null;
  const signers: Address[] = [];
  for (let index = 0; index < SIGNERS_MAX; index++) {
    const at = SIGNERS_AT + index * 32;
    const bytes = data.subarray(at, at + 32);
    if (bytes.some((byte) => byte !== 0)) signers.push(addressOf(bytes));
  }
  return { requiredSigners: data[0] as number, validSigners: data[1] as number, signers };
}
