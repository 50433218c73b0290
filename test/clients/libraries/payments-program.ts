import { type Keypair, PublicKey } from '@solana/web3.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDumpFolders } from '../../../src/ledger/genesis/dumps.ts';

/**
 * MagicBlock's example "private payments", an Anchor program with a token vault from the validator's npm
 * package.
 */
const DECLARED = 'EnhkomtzKms55jXi3ijn9XsMKYpMT4BJjmbuDQmPo3YS';

/** Its code with the declared address of `program`, as after `anchor keys sync` and a build. */
export function paymentsCodeFor(program: Keypair): Buffer {
  const folder = findDumpFolders().installed;
  if (folder === null) throw new Error('the package with the programs is not installed: run npm ci');
  const code = readFileSync(join(folder, `${DECLARED}.so`));
  const declared = new PublicKey(DECLARED).toBuffer();
  const own = program.publicKey.toBuffer();
  // The compiler stores an address as a whole, and also as separate halves of each u64 that instructions
  // load.
  for (let at = 0; at < declared.length; at += 4) {
    const word = declared.subarray(at, at + 4);
    for (let found = code.indexOf(word); found !== -1; found = code.indexOf(word, found + 4)) {
      own.copy(code, found, at, at + 4);
    }
  }
  return code;
}

type Writable<T> = { -readonly [K in keyof T]: Writable<T[K]> };

const seed = (text: string): number[] => [...Buffer.from(text)];
const DEPOSIT_SEED = { kind: 'const', value: seed('deposit') } as const;
const MINT_SEED = { kind: 'account', path: 'tokenMint' } as const;
const SYSTEM = { name: 'systemProgram', address: '11111111111111111111111111111111' } as const;
const TOKEN = { name: 'tokenProgram', address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' } as const;
const ATA = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

/** A discriminator is the first 8 bytes of sha256 of "global:name" or "account:Name". */
const IDL = {
  metadata: { name: 'privatePayments', version: '0.1.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'initializeDeposit',
      discriminator: [171, 65, 93, 225, 61, 109, 31, 227],
      accounts: [
        { name: 'payer', writable: true, signer: true },
        { name: 'user' },
        {
          name: 'deposit',
          writable: true,
          pda: { seeds: [DEPOSIT_SEED, { kind: 'account', path: 'user' }, MINT_SEED] },
        },
        { name: 'tokenMint' },
        TOKEN,
        SYSTEM,
      ],
      args: [],
    },
    {
      name: 'modifyBalance',
      discriminator: [148, 232, 7, 240, 55, 51, 121, 115],
      accounts: [
        { name: 'payer', writable: true, signer: true },
        { name: 'user', signer: true },
        {
          name: 'vault',
          writable: true,
          pda: { seeds: [{ kind: 'const', value: seed('vault') }, MINT_SEED] },
        },
        { name: 'deposit', writable: true },
        { name: 'userTokenAccount', writable: true },
        { name: 'vaultTokenAccount', writable: true },
        { name: 'tokenMint' },
        TOKEN,
        { name: 'associatedTokenProgram', address: ATA },
        SYSTEM,
      ],
      args: [{ name: 'args', type: { defined: { name: 'modifyDepositArgs' } } }],
    },
    {
      name: 'transferDeposit',
      discriminator: [20, 20, 147, 223, 41, 63, 204, 111],
      accounts: [
        { name: 'user' },
        { name: 'payer', writable: true, signer: true },
        { name: 'sessionToken', optional: true },
        { name: 'sourceDeposit', writable: true },
        { name: 'destinationDeposit', writable: true },
        { name: 'tokenMint' },
        SYSTEM,
      ],
      args: [{ name: 'amount', type: 'u64' }],
    },
  ],
  accounts: [{ name: 'deposit', discriminator: [148, 146, 121, 66, 207, 173, 21, 227] }],
  types: [
    {
      name: 'modifyDepositArgs',
      type: {
        kind: 'struct',
        fields: [
          { name: 'amount', type: 'u64' },
          { name: 'increase', type: 'bool' },
        ],
      },
    },
    {
      name: 'deposit',
      type: {
        kind: 'struct',
        fields: [
          { name: 'user', type: 'pubkey' },
          { name: 'tokenMint', type: 'pubkey' },
          { name: 'amount', type: 'u64' },
        ],
      },
    },
  ],
} as const;

export type PaymentsIdl = Writable<typeof IDL> & { address: string };

/** Its IDL with the address of `program`, limited to the tested instructions. */
export const paymentsIdlFor = (program: Keypair): PaymentsIdl =>
  ({ ...IDL, address: program.publicKey.toBase58() }) as PaymentsIdl;
