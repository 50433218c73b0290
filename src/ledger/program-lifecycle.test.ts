import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../ports/logger.ts';
import { BPF_LOADER_UPGRADEABLE, MEMO_PROGRAM, NOOP_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { rentExemptMinimum } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { EmbeddedLedger } from './embedded-ledger.ts';
import { readProgramDump } from './genesis/dumps.ts';
import { localGenesis } from './genesis/genesis.ts';
import { Keypair } from './keypair.ts';
import { openLedger } from './open-ledger.ts';
import { MemoryStore } from './store/memory-store.ts';
import type { TimeAnchor } from './store/store.ts';
import { createAccount, loader, programDataOf } from './testing/instructions.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const CODE = readProgramDump(NOOP_PROGRAM);
/** The number of bytes that fit into a transaction. */
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

describe('a program deployed by transactions', () => {
  it('can be called immediately, upgraded and closed', async () => {
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

  it('can be called after a restart, although the store returns its code after it', async () => {
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
