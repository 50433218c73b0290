import { signedVersion1 } from '../ledger/testing/version-1.ts';
import { describe, expect, it, vi } from 'vitest';
import { Keypair } from '../ledger/keypair.ts';
import { MemoryStore } from '../ledger/store/memory-store.ts';
import { toEarlierFormat } from '../ledger/store/testing/earlier-format.ts';
import { buildV0 } from '../ledger/testing/build-v0.ts';
import { lookupTable } from '../ledger/testing/lookup-table.ts';
import { SeededRandom } from '../ledger/testing/seeded-random.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../ledger/testing/test-ledger.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { addressOf, type Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import type { Transaction } from '../solana/transaction.ts';
import { callForText } from './testing/call-method.ts';
import { PATIENCE } from '../ports/testing/patience.ts';

const TRANSACTIONS = 90;

const random = new SeededRandom('history formats');
const table = addressOf(random.bytes(32));
const looked = Array.from({ length: 3 }, () => addressOf(random.bytes(32)));

function pick<T>(items: readonly T[]): T {
  return items[random.integer(items.length)] as T;
}

const usdcOf = ({ address }: Pick<Keypair, 'address'>): Address =>
  deriveAta(address, USDC_MINT, TOKEN_PROGRAM).address;

/** Two ledgers that are the same in all that anybody is told. */
interface Twins {
  readonly all: readonly TestLedger[];
  readonly wallets: readonly Keypair[];
}

async function openTwins(folder: string): Promise<Twins> {
  const all = [
    await openTestLedger({ place: { store: new MemoryStore() } }),
    await openTestLedger({ place: { folder } }),
  ];
  const wallets = Array.from({ length: 3 }, () => new Keypair(random.bytes(32)));
  for (const { ledger } of all) {
    await ledger.setAccounts([[table, lookupTable(looked)]]);
    for (const { address } of wallets) {
      await ledger.airdrop(address, 10_000_000_000n);
      await ledger.airdropTokens(address, USDC_MINT, 1_000_000n);
    }
  }
  return { all, wallets };
}

/** An instruction that may fail. */
function drawInstruction(wallets: readonly Keypair[], payer: Keypair): Instruction {
  const [to, owner] = [pick(wallets), pick(wallets)];
  const amount = BigInt(random.integer(2 ** random.integer(32)));
  switch (random.integer(4)) {
    case 0:
      return transferLamports(payer.address, pick([to.address, ...looked]), amount);
    case 1:
      return addMemo(`∆ ${'memo '.repeat(random.integer(40))}`);
    case 2:
      return createAtaIdempotent({
        payer: payer.address,
        ata: usdcOf(owner),
        owner: owner.address,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      });
    default:
      return transferTokens(
        TOKEN_PROGRAM,
        { source: usdcOf(payer), destination: usdcOf(to), authority: payer.address },
        amount,
      );
  }
}

function drawTransaction({ all: [twin], wallets }: Twins): Transaction {
  const { ledger } = twin as TestLedger;
  const payer = pick(wallets);
  if (random.integer(5) > 0) {
    const count = 1 + random.integer(3);
    const instructions = Array.from({ length: count }, () => drawInstruction(wallets, payer));
    if (random.integer(4) > 0) return buildTransaction(ledger, [payer], instructions);
    const source = { feePayer: payer.address, blockhash: ledger.head().blockhash, instructions };
    return signedVersion1({ ...source, priorityFee: BigInt(random.integer(1_000)) }, [payer]);
  }
  const first = random.integer(3);
  const lamports = Buffer.from([2, 0, 0, 0, random.integer(256), 0, 0, 1, 0, 0, 0, 0]);
  return buildV0({
    payer,
    keys: [SYSTEM_PROGRAM],
    readonlyCount: 1,
    blockhash: decodeBase58(ledger.head().blockhash),
    instructions: [{ program: 1, accounts: [0, 2], data: lamports }],
    lookups: [{ table, writable: [first], readonly: [(first + 1 + random.integer(2)) % 3] }],
  });
}

/** Everything a ledger tells of its history, as text. */
async function askAll({ ledger }: TestLedger, { wallets }: Twins): Promise<string[]> {
  const signatures = ledger.newestTransactions(1_000).map(({ signature }) => signature);
  const slots = [...new Set(ledger.newestTransactions(1_000).map(({ slot }) => slot))];
  const addresses = [
    ...wallets.map(({ address }) => address),
    ...wallets.map(usdcOf),
    ...looked,
    TOKEN_PROGRAM,
  ];
  const version = '"maxSupportedTransactionVersion":1';
  const between = `"before":"${signatures[20] ?? ''}","until":"${signatures[70] ?? ''}"`;
  const calls: (readonly [string, string])[] = [
    ...['json', 'jsonParsed', 'base64'].flatMap((encoding) => [
      ...signatures.map(
        (each) => ['getTransaction', `["${each}",{"encoding":"${encoding}",${version}}]`] as const,
      ),
      ...slots.map((slot) => ['getBlock', `[${slot},{"encoding":"${encoding}",${version}}]`] as const),
    ]),
    ...slots.map((slot) => ['getBlock', `[${slot},{"transactionDetails":"accounts",${version}}]`] as const),
    ...addresses.flatMap((each) =>
      ['', '"limit":7', between].map(
        (config) => ['getSignaturesForAddress', `["${each}",{${config}}]`] as const,
      ),
    ),
  ];
  const answers: string[] = [];
  for (const [method, params] of calls) answers.push(await callForText(ledger, method, params));
  return answers;
}

describe('what a ledger tells of its history', () => {
  it('is the same bytes from memory, the journal, the database, and a folder of the format before', async () => {
    const folder = temporaryFolder();
    const twins = await openTwins(folder);
    const [inMemory, inFolder] = twins.all as [TestLedger, TestLedger];
    for (let n = 0; n < TRANSACTIONS; n++) {
      // A folder tells of a slot once it is kept on the disk that it may.
      await vi.waitFor(() => expect(inFolder.ledger.head()).toEqual(inMemory.ledger.head()), PATIENCE);
      const transaction = drawTransaction(twins);
      const errors = await Promise.all(twins.all.map(({ ledger }) => ledger.submit(transaction)));
      expect(errors[0]).toEqual(errors[1]);
      const passed = random.integer(3) === 0 ? 400 * random.integer(9) : 0;
      for (const { clock } of twins.all) clock.pass(passed);
    }
    // A block is told when its slot is over.
    for (const { clock } of twins.all) clock.pass(400);
    await vi.waitFor(() => expect(inFolder.ledger.head()).toEqual(inMemory.ledger.head()), PATIENCE);
    const told = await askAll(inMemory, twins);
    expect(told.length).toBeGreaterThan(TRANSACTIONS * 3);
    expect(told.filter((answer) => answer.startsWith('"error"'))).toEqual([]);
    expect(told.join('').match(/"err":\{/g)?.length).toBeGreaterThan(5);
    expect(told.join('')).toContain('"loadedAddresses":{"readonly":["');
    expect(told.join('')).toContain('"transactionConfig":{"computeUnitLimit":1400000');
    expect(await askAll(inFolder, twins)).toEqual(told);
    await inFolder.ledger.close();

    const { clock } = inFolder;
    const again = await openTestLedger({ place: { folder }, clock });
    expect(await askAll(again, twins)).toEqual(told);
    await again.ledger.close();

    await toEarlierFormat(folder, 5);
    const moved = await openTestLedger({ place: { folder }, clock });
    expect(await askAll(moved, twins)).toEqual(told);
    await moved.ledger.close();
    await inMemory.ledger.close();
  });
});
