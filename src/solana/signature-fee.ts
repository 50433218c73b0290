/** Lamports per signature (Agave `FeeStructure`: half of `DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE`). */
export const LAMPORTS_PER_SIGNATURE = 5_000n;

/** Precompiles that verify signatures. The first byte of their data is the number of charged signatures. */
const SIGNATURE_PROGRAMS: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

/** Returns the number of signatures that a precompile instruction verifies (Agave `solana-fee`). */
export const signaturesVerifiedBy = (program: string | null | undefined, data: Uint8Array): number =>
  program != null && SIGNATURE_PROGRAMS.has(program) ? (data[0] ?? 0) : 0;
