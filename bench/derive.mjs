// Derives addresses in one process, by ours and by web3.js: the associated token account and the eATA of
// owners nobody has seen before. The seeds are at hand as web3.js takes them, as buffers; ours is measured
// from base58 to base58, too, which is how the rest of the program asks for an address.
import { randomBytes } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../dist/programs/addresses.js';
import { encodeBase58 } from '../dist/solana/base58.js';
import { findPda } from '../dist/solana/pda.js';

const BATCH = 250;

const bytesOf = (address) => new PublicKey(address).toBuffer();
const [tokenProgram, mint] = [bytesOf(TOKEN_PROGRAM), bytesOf(USDC_MINT)];
const ataProgram = new PublicKey(ASSOCIATED_TOKEN_PROGRAM);
const eataProgram = new PublicKey(EPHEMERAL_TOKEN_PROGRAM);

/** By side and address: what the owner is given as, and what derives. */
const derivers = {
  'ours ATA': (owner) => findPda([owner, tokenProgram, mint], ASSOCIATED_TOKEN_PROGRAM),
  'ours eATA': (owner) => findPda([owner, mint], EPHEMERAL_TOKEN_PROGRAM),
  'base58 ATA': (owner) => findPda([owner, TOKEN_PROGRAM, USDC_MINT], ASSOCIATED_TOKEN_PROGRAM),
  'base58 eATA': (owner) => findPda([owner, USDC_MINT], EPHEMERAL_TOKEN_PROGRAM),
  'web3 ATA': (owner) => PublicKey.findProgramAddressSync([owner, tokenProgram, mint], ataProgram),
  'web3 eATA': (owner) => PublicKey.findProgramAddressSync([owner, mint], eataProgram),
};

const giveAs = (side, bytes) => (side === 'base58' ? encodeBase58(bytes) : bytes);

function checkSame(owner) {
  for (const account of ['ATA', 'eATA']) {
    const [theirs, theirBump] = derivers[`web3 ${account}`](owner);
    for (const side of ['ours', 'base58']) {
      const { address, bump } = derivers[`${side} ${account}`](giveAs(side, owner));
      if (address !== theirs.toBase58() || bump !== theirBump) throw new Error(`${side} ${account} differ`);
    }
  }
}

process.on('message', ({ side, account, durationMs }) => {
  const derive = derivers[`${side} ${account}`];
  let derivations = 0;
  let cpuMicros = 0;
  const deadline = performance.now() + durationMs;
  do {
    const owners = Array.from({ length: BATCH }, () => giveAs(side, randomBytes(32)));
    const before = process.cpuUsage();
    for (const owner of owners) derive(owner);
    const { user, system } = process.cpuUsage(before);
    cpuMicros += user + system;
    derivations += BATCH;
  } while (performance.now() < deadline);
  process.send(cpuMicros / derivations);
});

for (let number = 0; number < BATCH; number++) checkSame(randomBytes(32));
process.send('ready');
