import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BPF_LOADER_UPGRADEABLE, MEMO_PROGRAM, NOOP_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { writable, type Instruction } from '../solana/instruction.ts';
import { rentExemptMinimum } from '../solana/rent.ts';
import type { EngineRun } from './engine/engine.ts';
import { LiteSvmEngine } from './engine/litesvm-engine.ts';
import { SparingEngine } from './engine/sparing-engine.ts';
import { readProgramDump } from './genesis/local-dumps.ts';
import { localGenesis } from './genesis/local-genesis.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { type BankBackend, loadBuiltins } from './initial-state.ts';
import { Keypair } from './keypair.ts';
import { silentLogger } from '../ports/logger.ts';
import { openLedger } from './open-ledger.ts';
import { Accounts } from './state/accounts.ts';
import { Pieces } from './state/pieces.ts';
import { openLedgerFolder } from './store/ledger-folder.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { TimeAnchor } from './store/store.ts';
import { TAKE_OVER_LIMITS } from './store/take-over.ts';
import { createAccount, loader, programDataOf } from './testing/instructions.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const CODE = readProgramDump(NOOP_PROGRAM);
/** What a transaction has room for. */
const CHUNK_BYTES = 900;

let store: MemoryStore;
let world: TestLedger;
let alice: Keypair;
let program: Keypair;

beforeEach(async () => {
  store = new MemoryStore();
  world = await openTestLedger({ place: { store }, genesis: localGenesis() });
  alice = await world.fundedWallet();
  program = new Keypair(world.random.bytes(32));
});

async function must(...parts: Parameters<typeof buildTransaction>): Promise<void> {
  const { err } = await world.ledger.submit(buildTransaction(...parts));
  expect(err).toBeNull();
}

/** A buffer for as many bytes. */
async function makeBuffer(bytes: number): Promise<Address> {
  const buffer = new Keypair(world.random.bytes(32));
  const size = 37 + bytes;
  const account = { lamports: rentExemptMinimum(size), space: BigInt(size), owner: BPF_LOADER_UPGRADEABLE };
  const open = [
    createAccount(alice.address, buffer.address, account),
    loader.initializeBuffer(buffer.address, alice.address),
  ];
  await must(world.ledger, [alice, buffer], open);
  return buffer.address;
}

/** Writes code to a buffer, as every deployment begins. */
async function uploadCode(): Promise<Address> {
  const buffer = await makeBuffer(CODE.length);
  for (let at = 0; at < CODE.length; at += CHUNK_BYTES) {
    const chunk = CODE.subarray(at, at + CHUNK_BYTES);
    await must(world.ledger, [alice], [loader.write(buffer, alice.address, at, chunk)]);
  }
  return buffer;
}

async function deploy(): Promise<void> {
  const buffer = await uploadCode();
  const account = { lamports: rentExemptMinimum(36), space: 36n, owner: BPF_LOADER_UPGRADEABLE };
  const instructions = [
    createAccount(alice.address, program.address, account),
    loader.deploy(alice.address, program.address, buffer, CODE.length),
  ];
  await must(world.ledger, [alice, program], instructions);
}

function callIn(ledger: EmbeddedLedger): unknown {
  const call = { programId: program.address, accounts: [], data: new Uint8Array(0) };
  const transaction = buildTransaction(ledger, [alice], [call]);
  return ledger.simulate(transaction, { verifySignatures: false, replaceBlockhash: true }).err;
}

const UNCALLABLE = { InstructionError: [0, 'UnsupportedProgramId'] };

/** A ledger on the disk with a buffer, and what the engine is asked and given from its first write on. */
async function openUpload(size: number) {
  const asked = { runs: 0, bytes: 0 };
  class CountedEngine extends LiteSvmEngine {
    override run(...run: Parameters<LiteSvmEngine['run']>): EngineRun {
      asked.runs++;
      return super.run(...run);
    }

    override setAccount(address: Address, account: Account): void {
      asked.bytes += account.data.length;
      super.setAccount(address, account);
    }
  }
  const createBackend = (): BankBackend => {
    const accounts = new Accounts();
    const engine = new SparingEngine(new CountedEngine(), (address) => accounts.get(address));
    loadBuiltins(engine, accounts);
    return { engine, accounts };
  };
  const place = { store: openLedgerFolder(temporaryFolder(), { logger: silentLogger }) };
  world = await openTestLedger({ place, createBackend, genesis: localGenesis() });
  alice = await world.fundedWallet();
  const buffer = await makeBuffer(size);
  const write = async (at: number, bytes: Uint8Array): Promise<void> => {
    const transaction = buildTransaction(
      world.ledger,
      [alice],
      [loader.write(buffer, alice.address, at, bytes)],
    );
    const { err } = await world.ledger.submit(transaction, { preflight: () => undefined });
    expect(err).toBeNull();
  };
  await write(0, Uint8Array.of(1));
  Object.assign(asked, { runs: 0, bytes: 0 });
  return { asked, buffer, write };
}

describe('an upload', () => {
  it('costs by what it writes (bug: each write ran on an engine that copies the buffer four times)', async () => {
    const size = 1_000_000;
    const { asked, buffer, write } = await openUpload(size);
    const whole = vi.spyOn(Pieces.prototype, 'whole', 'get');
    onTestFinished(() => whole.mockRestore());
    const expected = Buffer.alloc(37 + size);
    for (let at = 0; at < 50 * 1_500; at += 1_500) {
      const bytes = world.random.bytes(CHUNK_BYTES);
      await write(at, bytes);
      expected.set(bytes, 37 + at);
    }
    // Neither the engine nor anybody else had the buffer as a whole.
    expect(asked).toEqual({ runs: 0, bytes: 0 });
    expect(whole).not.toHaveBeenCalled();
    const data = world.ledger.getAccount(buffer)?.data ?? [];
    expect(Buffer.compare(Buffer.from(data).subarray(37), expected.subarray(37))).toBe(0);
    await world.ledger.close();
  });

  it('can be written, read, run and written again, and the engine has what it is then', async () => {
    const { asked, buffer, write } = await openUpload(200_000);
    for (let at = 0; at < 3; at++) {
      await write(at, Uint8Array.of(7));
      const before = world.ledger.getAccount(buffer)?.data ?? new Uint8Array(0);
      const name = { programId: NOOP_PROGRAM, accounts: [writable(buffer)], data: Uint8Array.of(at) };
      await must(world.ledger, [alice], [name]);
      // The program that was run comes with it: its loader's accounts were named.
      expect(asked).toEqual({ runs: at + 1, bytes: (at + 1) * (37 + 200_000 + 36) });
      const after = world.ledger.getAccount(buffer)?.data ?? [];
      expect(Buffer.compare(Buffer.from(after), before)).toBe(0);
      expect(before[37 + at]).toBe(7);
    }
    await world.ledger.close();
  });

  it('writes each piece to the disk once (bug: with each the whole buffer was written)', async () => {
    const folder = openLedgerFolder(temporaryFolder(), {
      logger: silentLogger,
      limits: { ...TAKE_OVER_LIMITS, bytes: 1e9, bytesMax: 1e9, delayMs: 1e9 },
    });
    const { ledger, ...rest } = await openTestLedger({ place: { store: folder }, genesis: localGenesis() });
    const payer = await rest.fundedWallet();
    const buffer = new Keypair(rest.random.bytes(32));
    const size = 1_000_000;
    const account = { lamports: rentExemptMinimum(size), space: BigInt(size), owner: BPF_LOADER_UPGRADEABLE };
    const write = async (signers: readonly [Keypair, ...Keypair[]], instructions: Instruction[]) => {
      const before = folder.size().journalBytes;
      const { err } = await ledger.submit(buildTransaction(ledger, signers, instructions));
      expect(err).toBeNull();
      return folder.size().journalBytes - before;
    };
    await write(
      [payer, buffer],
      [
        createAccount(payer.address, buffer.address, account),
        loader.initializeBuffer(buffer.address, payer.address),
      ],
    );
    for (let at = 0; at < 5 * CHUNK_BYTES; at += CHUNK_BYTES) {
      const piece = rest.random.bytes(CHUNK_BYTES);
      // The piece stands in the transaction as well.
      const written = await write([payer], [loader.write(buffer.address, payer.address, at, piece)]);
      expect(written).toBeGreaterThan(2 * CHUNK_BYTES);
      expect(written).toBeLessThan(5 * CHUNK_BYTES);
    }
    await ledger.close();
  });
});

describe('a program deployed by transactions', () => {
  it('can be called at once, upgraded and closed', async () => {
    await deploy();
    expect(callIn(world.ledger)).toBeNull();
    const buffer = await uploadCode();
    world.clock.pass(400);
    await must(world.ledger, [alice], [loader.upgrade(alice.address, program.address, buffer)]);
    expect(callIn(world.ledger)).toBeNull();
    world.clock.pass(400);
    await must(world.ledger, [alice], [loader.closeProgram(alice.address, program.address)]);
    expect(callIn(world.ledger)).toEqual(UNCALLABLE);
    expect(world.ledger.getAccount(programDataOf(program.address))).toBeNull();
  });

  it('can be called after a restart, though the store gives its code after it', async () => {
    await deploy();
    await world.ledger.close();
    // The order an LMDB range may well have: by address, programs and code as they fall.
    const entries = [...store.accounts()].sort(([, a], [, b]) => Number(b.executable) - Number(a.executable));
    const shuffled = new MemoryStore();
    await shuffled.commit({
      accounts: entries,
      slotCeiling: store.slotCeiling,
      timeAnchor: store.timeAnchors[0] as TimeAnchor,
      identity: store.identity as NonNullable<typeof store.identity>,
    });
    expect([...shuffled.accounts()][0]?.[1].executable).toBe(true);
    const { clock, random } = world;
    const again = await openLedger({ place: { store: shuffled }, clock, random, logger: silentLogger });
    expect(callIn(again)).toBeNull();
  });

  it('that is closed and paid again in one transaction does not end the process', async () => {
    await deploy();
    world.clock.pass(400);
    const close = loader.closeProgram(alice.address, program.address);
    const revive = transferLamports(alice.address, programDataOf(program.address), 10_000_000n);
    await must(world.ledger, [alice], [close, revive]);
    expect(world.ledger.getAccount(programDataOf(program.address))?.data.length).toBeLessThan(45);
    expect(callIn(world.ledger)).toEqual(UNCALLABLE);
    // Writing the program account again is where the engine used to end the process.
    const touch = {
      programId: NOOP_PROGRAM,
      accounts: [{ address: program.address, signer: false, writable: true }],
      data: new Uint8Array(0),
    };
    await must(world.ledger, [alice], [touch]);
    await must(world.ledger, [alice], [{ programId: MEMO_PROGRAM, accounts: [], data: new Uint8Array(0) }]);
    expect(callIn(world.ledger)).toEqual(UNCALLABLE);
  });
});
