import type { Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { findPda } from '../../solana/pda.ts';
import { concat, option, u32, u64 } from '../instruction-data.ts';
import { textSeed } from '../seeds.ts';

/**
 * The program in whose name the validator calls back (`CALLBACK_PROGRAM_ID` of
 * `magicblock-magic-program-api`).
 */
const CALLBACK_PROGRAM = 'CaLLback11111111111111111111111111111111111' as Address;

/** Who signs callbacks: seed "callback-executor" of the callback program. */
export const CALLBACK_SIGNER: Address = findPda([textSeed('callback-executor')], CALLBACK_PROGRAM).address;

/** What a callback is told of the action it belongs to. */
interface MagicResponse {
  /** Whether base carried it out. */
  readonly ok: boolean;
  /** What the program had attached to the callback. */
  readonly payload: Uint8Array;
  /** Why it was not carried out; empty when it was. */
  readonly error: string;
  /** base58: the base transaction; null when none did it. */
  readonly receipt: string | null;
}

/**
 * The bytes of a response (bincode `MagicResponse::V1`: variant u32 = 0, ok u8, payload Vec, error String,
 * receipt as Option of a signature of 64; lengths u64).
 */
export function encodeMagicResponse({ ok, payload, error, receipt }: MagicResponse): Uint8Array {
  const text = Buffer.from(error, 'utf8');
  return concat(
    u32(0),
    Uint8Array.of(ok ? 1 : 0),
    u64(BigInt(payload.length)),
    payload,
    u64(BigInt(text.length)),
    text,
    option(receipt === null ? null : decodeBase58(receipt)),
  );
}
