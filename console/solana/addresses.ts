import { decodeBase58 } from '../parts/base58.ts';
import { encodeBase58 } from './base58.ts';
import { isOnCurve } from './curve.ts';

/** Programs whose accounts the page looks for. `src/programs/addresses.ts` says which they are. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const EPHEMERAL_TOKEN_PROGRAM = 'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2';
export const DELEGATION_PROGRAM = 'DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh';

/** The marker that ends what is hashed into a program-derived address (`solana-address` PDA_MARKER). */
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/** The token account (ATA) of an owner: seeds owner, token program, mint. */
export const deriveAta = (owner: string, mint: string, tokenProgram = TOKEN_PROGRAM): Promise<string> =>
  findPda([bytesOf(owner), bytesOf(tokenProgram), bytesOf(mint)], ASSOCIATED_TOKEN_PROGRAM);

/** The ephemeral token account (eATA), what the vault owes an owner: seeds owner, mint. */
export const deriveEata = (owner: string, mint: string): Promise<string> =>
  findPda([bytesOf(owner), bytesOf(mint)], EPHEMERAL_TOKEN_PROGRAM);

/** The vault of a mint: seed mint. Its ATA holds the deposits. */
export const deriveVault = (mint: string): Promise<string> =>
  findPda([bytesOf(mint)], EPHEMERAL_TOKEN_PROGRAM);

async function findPda(seeds: readonly Uint8Array[], program: string): Promise<string> {
  for (let bump = 255; bump >= 0; bump--) {
    const preimage = join([...seeds, Uint8Array.of(bump), bytesOf(program), MARKER]);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', preimage));
    if (!isOnCurve(hash)) return encodeBase58(hash);
  }
  throw new RangeError('no bump gives an address off the curve');
}

function bytesOf(address: string): Uint8Array {
  const bytes = decodeBase58(address);
  if (bytes?.length !== 32) throw new TypeError('an address has 32 bytes in base58');
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
