/** The exports that the project uses. */
export { bytes, encodeBase58, text } from './base58';
export { findBump, judgePoint, point, preimage } from './derivation';
