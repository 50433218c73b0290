// The ledger without a node around it, in memory: what executing costs that the node then has to answer for.
// Does one of its cases for as long as it is told and says how often it was done and what that cost in CPU
// time.
import { TOKEN_PROGRAM } from '../../dist/programs/addresses.js';
import { decodeTransaction } from '../../dist/solana/transaction.js';
import { openBenchLedger } from './open-bench-ledger.mjs';
import {
  manyAccounts,
  ownerAt,
  signTransfer,
  SMALL_PROGRAM,
  walletAccounts,
  wallets,
} from './population.mjs';

const ACCOUNTS = Number(process.argv[2]);
const BATCH = 500;

const ledger = await openBenchLedger();
await ledger.setAccounts([...manyAccounts(ACCOUNTS), ...walletAccounts]);
let number = 0;

const count = (entries) => {
  let found = 0;
  for (const _ of entries) found++;
  return found;
};

/** Each prepares what a batch needs, which is not measured, and gives what one turn of it does. */
const cases = {
  getAccount: () => (turn) => ledger.getAccount(wallets[turn % wallets.length].address),
  tokenAccounts: () => (turn) =>
    count(ledger.tokenAccounts({ holder: 'owner', address: ownerAt(turn * 7), program: TOKEN_PROGRAM })),
  programAccounts: () => () => count(ledger.programAccounts(SMALL_PROGRAM)),
  simulate: () => {
    const wire = signTransfer(number++, ledger.head().blockhash).wire;
    return () =>
      ledger.simulate(decodeTransaction(wire), { verifySignatures: false, replaceBlockhash: true });
  },
  submit: () => {
    const { blockhash } = ledger.head();
    const wires = Array.from({ length: BATCH }, () => signTransfer(number++, blockhash).wire);
    return (turn) => ledger.submit(decodeTransaction(wires[turn]));
  },
};

process.on('message', async ({ name, durationMs }) => {
  let turns = 0;
  let cpuMicros = 0;
  const deadline = performance.now() + durationMs;
  do {
    const act = cases[name]();
    const before = process.cpuUsage();
    const pending = [];
    for (let turn = 0; turn < BATCH; turn++) pending.push(act(turn));
    await Promise.all(pending);
    const { user, system } = process.cpuUsage(before);
    cpuMicros += user + system;
    turns += BATCH;
  } while (performance.now() < deadline);
  process.send({ turns, cpuMicros });
});
process.send('ready');
