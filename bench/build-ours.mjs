// Our side: whole operations as the service calls them (arguments judged, accounts read from memory, texts
// written), and the part of a deposit that the SDK's builders do: deriving, planning and writing the
// transaction.
import { Clusters } from '../dist/chain/clusters.js';
import { createDeposit } from '../dist/payments/deposit.js';
import { writeDepositA } from '../dist/payments/deposit/message-a.js';
import { deriveDepositAccounts } from '../dist/payments/accounts/deposit-accounts.js';
import { ANONYMOUS } from '../dist/payments/operation.js';
import { createTransfer } from '../dist/payments/transfer.js';
import { systemRandom as random } from '../dist/ports/random.js';
import { TOKEN_PROGRAM } from '../dist/programs/addresses.js';
import { addressOf } from '../dist/solana/address.js';
import { decodeBase58 } from '../dist/solana/base58.js';
import { encodeUnsignedTransaction } from '../dist/solana/message.js';
import { AMOUNT, BLOCKHASH, serveBuilds, USDC, VALIDATOR } from './build-loop.mjs';
import { MemoryChain } from './memory-chain.mjs';

const chainA = new MemoryChain('a');
const chainB = new MemoryChain('b');
const onA = { clusters: new Clusters([chainA]), random };
const onB = { clusters: new Clusters([chainB]), random };
const recipient = 'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e';

const buildWith = (chain, operation, argumentsOf) => ({
  prepare: (owners) => chain.fund(owners),
  build: async (owner) => {
    const input = operation.input.parse({ amount: AMOUNT, ...argumentsOf(owner) });
    const { output } = await operation.run(input, ANONYMOUS);
    if (output.warnings !== undefined) throw new Error(output.warnings[0].message);
    return output.transactionBase64;
  },
});

/** No operation around it: deriving, planning, bytes. */
function buildBytes(owner) {
  const content = writeDepositA({
    accounts: deriveDepositAccounts(owner, USDC, TOKEN_PROGRAM),
    payer: owner,
    amount: BigInt(AMOUNT),
    validator: VALIDATOR,
    creates: { eata: true, vault: false, ownerAta: false },
    permission: { flags: 0, delegateTo: null },
  });
  const wire = encodeUnsignedTransaction(content.compile(decodeBase58(BLOCKHASH)));
  return Buffer.from(wire.buffer, wire.byteOffset, wire.length).toString('base64');
}

const depositOnA = createDeposit(onA);
const builders = {
  'deposit, plan and bytes': { build: buildBytes },
  deposit: buildWith(chainA, depositOnA, (owner) => ({ owner })),
  'public deposit': buildWith(chainA, depositOnA, (owner) => ({ owner, private: false })),
  'deposit by shuttle': buildWith(chainB, createDeposit(onB), (owner) => ({ owner })),
  'private transfer': buildWith(chainB, createTransfer(onB), (from) => ({ from, to: recipient, mint: USDC })),
};

serveBuilds(builders, { addressOf, batch: 250 });
