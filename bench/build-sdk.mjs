// The peer's side: the MagicBlock SDK's builders and web3.js, from an owner's address to the base64 of a
// transaction.
import {
  delegatePrivateSpl,
  delegateSpl,
  delegateSplIdempotent,
} from '@magicblock-labs/ephemeral-rollups-sdk';
import { PublicKey, Transaction } from '@solana/web3.js';
import { AMOUNT, BLOCKHASH, serveBuilds, USDC, VALIDATOR } from './build-loop.mjs';

const mint = new PublicKey(USDC);
const validator = new PublicKey(VALIDATOR);

const buildWith = (builder, options = {}) => ({
  build: async (address) => {
    const owner = new PublicKey(address);
    const instructions = await builder(owner, mint, BigInt(AMOUNT), { validator, ...options });
    const transaction = new Transaction({ feePayer: owner, recentBlockhash: BLOCKHASH });
    transaction.add(...instructions);
    const wire = transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
    return wire.toString('base64');
  },
});

const builders = {
  delegatePrivateSpl: buildWith(delegatePrivateSpl),
  delegateSpl: buildWith(delegateSpl, { initVaultIfMissing: false }),
  delegateSplIdempotent: buildWith(delegateSplIdempotent),
};

serveBuilds(builders, { addressOf: (bytes) => new PublicKey(bytes).toBase58(), batch: 20 });
