import { beforeAll, describe, expect, it } from 'vitest';
import { lengthOf } from '../../test/length.ts';
import { silentLogger } from '../ports/logger.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { deriveEata, deriveVault } from '../programs/ephemeral-token/pdas.ts';
import { EATA_TABLE_A } from '../programs/ephemeral-token/table/eata.ts';
import { type AccountsOf, encode } from '../programs/instruction-table/encode.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { type Address, addressBytes } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { readonly, writable } from '../solana/instruction.ts';
import { decodeTransaction, type Transaction, WireError } from '../solana/transaction.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import type { Keypair } from './keypair.ts';
import { TransactionRejected } from './ledger.ts';
import { openLedger } from './open-ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import { buildV0 } from './testing/build-v0.ts';
import { advanceNonce, createLookupTable, extendLookupTable, loader } from './testing/instructions.ts';
import { SeededRandom } from './testing/seeded-random.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const CASES = lengthOf({ short: 1_500, long: 6_000 });
const seed = process.env['FUZZ_SEED'] ?? 'ledger';
const random = new SeededRandom(seed);

/** Programs and sysvars that a mutated key becomes, so that mutants reach them. */
const KEYS = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  NOOP_PROGRAM,
  'Ed25519SigVerify111111111111111111111111111' as Address,
  'Sysvar1nstructions1111111111111111111111111' as Address,
  'SysvarC1ock11111111111111111111111111111111' as Address,
].map(addressBytes);
const BYTES = [0, 1, 2, 3, 4, 0x7f, 0x80, 0x81, 0xff];

let store: MemoryStore;
let world: TestLedger;
let alice: Keypair;
let table: Address;

beforeAll(async () => {
  store = new MemoryStore();
  world = await openTestLedger({ place: { store } });
  alice = await world.fundedWallet();
  await world.ledger.airdropTokens(alice.address, USDC_MINT, 1_000_000n);
  const created = createLookupTable(alice.address, BigInt(world.ledger.head().slot - 1));
  table = created.table;
  const addresses = [
    deriveAta(alice.address, USDC_MINT, TOKEN_PROGRAM).address,
    USDC_MINT,
    world.ledger.faucet,
  ];
  await world.ledger.submit(
    buildTransaction(
      world.ledger,
      [alice],
      [created.instruction, extendLookupTable(table, alice.address, addresses)],
    ),
  );
  world.clock.pass(400);
});

/** Valid transactions of many kinds on the newest blockhash. */
function corpus(): Transaction[] {
  const payer = alice.address;
  const eata = deriveEata(payer, USDC_MINT);
  const vault = deriveVault(USDC_MINT);
  const ata = deriveAta(payer, USDC_MINT, TOKEN_PROGRAM).address;
  const faucetAta = deriveAta(world.ledger.faucet, USDC_MINT, TOKEN_PROGRAM).address;
  const legacy = [
    [transferLamports(payer, world.ledger.faucet, 5_000n), addMemo('fuzz')],
    [
      createAtaIdempotent({
        payer,
        ata: faucetAta,
        owner: world.ledger.faucet,
        mint: USDC_MINT,
        tokenProgram: TOKEN_PROGRAM,
      }),
      transferTokens(TOKEN_PROGRAM, { source: ata, destination: faucetAta, authority: payer }, 3n),
    ],
    [
      encode(
        EATA_TABLE_A.initEata,
        { eata: eata.address, payer, owner: payer, mint: USDC_MINT },
        { eataBump: eata.bump },
      ),
      encode(
        EATA_TABLE_A.initVault,
        {
          vault: vault.address,
          vaultAta: deriveAta(vault.address, USDC_MINT, TOKEN_PROGRAM).address,
          payer,
          mint: USDC_MINT,
          tokenProgram: TOKEN_PROGRAM,
        } as AccountsOf<typeof EATA_TABLE_A.initVault>,
        { vaultBump: vault.bump },
      ),
    ],
    [
      { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(2, 0, 1, 0, 0) },
      addMemo('budget'),
    ],
    [{ programId: NOOP_PROGRAM, accounts: [writable(ata), readonly(USDC_MINT)], data: new Uint8Array(40) }],
    [advanceNonce(ata, payer), transferLamports(payer, ata, 1n)],
    [loader.upgrade(payer, EPHEMERAL_TOKEN_PROGRAM, ata)],
  ].map((instructions) => buildTransaction(world.ledger, [alice], instructions));
  const v0 = buildV0({
    payer: alice,
    keys: [TOKEN_PROGRAM],
    readonlyCount: 1,
    blockhash: decodeBase58(world.ledger.head().blockhash),
    instructions: [{ program: 1, accounts: [2, 2, 0], data: Buffer.from('030100000000000000', 'hex') }],
    lookups: [{ table, writable: [0], readonly: [1, 2] }],
  });
  return [...legacy, v0];
}

function mutate(transaction: Transaction, other: Transaction): Uint8Array {
  let bytes = Buffer.from(transaction.wire);
  for (let count = random.integer(4); count >= 0; count--) {
    // Most mutations do not change the signatures, which a simulation does not check.
    const from = random.integer(4) === 0 ? 0 : Math.min(transaction.messageAt, bytes.length);
    const at = from + random.integer(Math.max(1, bytes.length - from));
    const byte = BYTES[random.integer(BYTES.length)] as number;
    switch (random.integer(8)) {
      case 0:
        bytes[at] = byte;
        break;
      case 1:
        bytes[at] = random.integer(256);
        break;
      case 2:
        bytes = bytes.subarray(0, at);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.integer(40))]);
        break;
      case 5:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          other.wire.subarray(random.integer(other.wire.length)),
        ]);
        break;
      case 6: {
        const key = KEYS[random.integer(KEYS.length)] as Uint8Array;
        bytes.set(key.subarray(0, Math.max(0, bytes.length - at)), at);
        break;
      }
      default: {
        // A whole key in the place of another.
        const place = transaction.blockhashAt - 32 * (1 + random.integer(transaction.staticKeys.length));
        const key = KEYS[random.integer(KEYS.length)] as Uint8Array;
        if (place + 32 <= bytes.length) bytes.set(key, place);
      }
    }
  }
  return new Uint8Array(bytes);
}

/** The mutant with its first signature made good, so that it gets further than the signature check. */
function signAgain(transaction: Transaction): Transaction {
  if (transaction.signatures.length === 0) return transaction;
  const wire = new Uint8Array(transaction.wire);
  wire.set(
    alice.sign(wire.subarray(transaction.messageAt)),
    transaction.messageAt - 64 * transaction.signatures.length,
  );
  return decodeTransaction(wire);
}

async function offer(ledger: EmbeddedLedger, bytes: Uint8Array): Promise<string> {
  try {
    const transaction = decodeTransaction(bytes);
    if (random.integer(3) === 0) {
      const { landed, err } = await ledger.submit(signAgain(transaction));
      return landed ? (err === null ? 'landed' : 'landed with an error') : 'turned away';
    }
    const replaceBlockhash = random.integer(2) === 0;
    const { err } = ledger.simulate(transaction, {
      verifySignatures: !replaceBlockhash && random.integer(2) === 0,
      replaceBlockhash,
    });
    return err === null ? 'simulated' : 'simulated with an error';
  } catch (error) {
    if (error instanceof WireError) return 'no transaction';
    if (error instanceof TransactionRejected) return 'rejected';
    throw error;
  }
}

describe(`${CASES} mutated transactions (FUZZ_SEED ${seed})`, () => {
  it('neither break the ledger nor change the total of lamports', async () => {
    // The store keeps what the engine has built in only once it differs.
    const builtins = [...new LiteSvmEngine().builtinAccounts()];
    const total = (): bigint =>
      [...new Map([...builtins, ...store.accounts()]).values()].reduce(
        (sum, { lamports }) => sum + lamports,
        0n,
      );
    const before = total();
    const landedBefore = store.recordCount;
    const outcomes = new Map<string, number>();
    for (let count = 0, sources = corpus(); count < CASES; count++) {
      if (count % 500 === 0) {
        world.clock.pass(400);
        await world.ledger.airdrop(alice.address, 1_000_000_000n);
        sources = corpus();
      }
      const [source, other] = [0, 1].map(() => sources[random.integer(sources.length)]) as [
        Transaction,
        Transaction,
      ];
      const outcome = await offer(world.ledger, mutate(source, other));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    for (const outcome of [
      'no transaction',
      'rejected',
      'turned away',
      'landed',
      'landed with an error',
      'simulated',
      'simulated with an error',
    ]) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(CASES / 300);
    }
    const fees = [...store.recordsFrom(0)].slice(landedBefore).reduce((sum, { fee }) => sum + fee, 0n);
    expect(total()).toBe(before - fees);
  });

  it('leave a ledger that is the same after a restart', async () => {
    const accounts = new Map(store.accounts());
    await world.ledger.close();
    const { clock } = world;
    const again = await openLedger({
      place: { store },
      clock,
      random: new SeededRandom(seed),
      logger: silentLogger,
    });
    expect(new Map(store.accounts())).toEqual(accounts);
    for (const [address, account] of accounts) expect(again.getAccount(address)).toEqual(account);
    await again.airdrop(alice.address, 1_000_000_000n);
  });
});
