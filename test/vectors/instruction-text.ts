import type { Instruction } from '../../src/solana/instruction.ts';

/** Formats an instruction as in the vector files: keys as "<address> <flags>", data as hex. */
export function describeInstruction({ programId, accounts, data }: Instruction) {
  return {
    programId,
    keys: accounts.map(({ address, signer, writable }) => {
      const flags = `${signer ? 's' : ''}${writable ? 'w' : ''}`;
      return `${address} ${flags === '' ? '-' : flags}`;
    }),
    data: Buffer.from(data).toString('hex'),
  };
}
