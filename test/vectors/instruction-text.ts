import type { Instruction } from '../../src/solana/instruction.ts';

/** An instruction in the form the vector files give it: keys as "<address> <flags>", data as hex. */
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
