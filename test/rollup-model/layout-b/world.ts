import { HandTime } from '../../../src/chain/testing/hand-time.ts';
import { mintAccount } from '../../../src/ledger/genesis/genesis.ts';
import { Keypair } from '../../../src/ledger/keypair.ts';
import { SeededRandom } from '../../../src/ledger/testing/seeded-random.ts';
import { buildTransaction } from '../../../src/ledger/testing/test-ledger.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  NATIVE_MINT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../../src/programs/addresses.ts';
import { createAtaIdempotent } from '../../../src/programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../../src/programs/delegation/pdas.ts';
import { updateStealthPool } from '../../../src/programs/ephemeral-token/layout-b/stealth-pool.ts';
import { deriveStealthPool } from '../../../src/programs/ephemeral-token/stealth-pool.ts';
import { STEALTH_TABLE } from '../../../src/programs/ephemeral-token/table/queue.ts';
import { encode } from '../../../src/programs/instruction-table/encode.ts';
import { addMemo } from '../../../src/programs/memo.ts';
import { derivePermission } from '../../../src/programs/permission/state.ts';
import { transferLamports } from '../../../src/programs/system.ts';
import { syncNative } from '../../../src/programs/token/instructions.ts';
import { CrashStores } from '../../../src/rollup/testing/crash-stores.ts';
import { type LayoutBScene, openLayoutBScene } from '../../../src/rollup/testing/layout-b-scene.ts';
import type { Account } from '../../../src/solana/account.ts';
import { type Address, addressOf } from '../../../src/solana/address.ts';
import { encodeBase58 } from '../../../src/solana/base58.ts';
import type { Attempt, Draft } from './attempt.ts';
import { HANDLE } from './operations.ts';
import { Room } from './room.ts';

const MINT_2022 = addressOf(new Uint8Array(32).fill(98));

/** Numbers of wallets with tokens of both mints, of wallets with only SOL, and of payees for SOL. */
const TOKEN_WALLETS = 3;
const SOL_WALLETS = 2;
const SOL_PAYEES = 2;

const STARTING_UNITS = 10_000_000n;
const STARTING_LAMPORTS = 1_000_000_000_000n;

/** Offset of `AccountState` in a token account, and its frozen state. */
const STATE_AT = 108;
const FROZEN = 2;

/** The two ledgers with three mints: USDC, one of Token-2022, and SOL. */
export class World {
  readonly time = new HandTime();
  readonly rooms: Room[] = [];
  sponsor = new Keypair(new Uint8Array(32).fill(7));
  readonly #seed: string;
  readonly #logger: Logger;
  #stores = new CrashStores();
  #scene: LayoutBScene | undefined;
  #openings = 0;
  #memos = 0;

  constructor(seed: string, logger: Logger) {
    this.#seed = seed;
    this.#logger = logger;
  }

  /** The current scene, which the caller must close. */
  get scene(): LayoutBScene {
    if (this.#scene === undefined) throw new Error('the world is not open');
    return this.#scene;
  }

  /** Number of durable writes so far. */
  get written(): number {
    return this.#stores.written.length;
  }

  async begin(): Promise<void> {
    this.#scene = await this.#open();
    const { scene } = this;
    const { base } = scene;
    await base.setAccounts([[MINT_2022, { ...mintAccount(base.faucet, 6), owner: TOKEN_2022_PROGRAM }]]);
    this.rooms.push(
      new Room(scene),
      new Room(scene.withMint(MINT_2022, TOKEN_2022_PROGRAM)),
      new Room(scene.withMint(NATIVE_MINT, TOKEN_PROGRAM)),
    );
    this.sponsor = await scene.wallet();
    for (const room of this.rooms) await room.scene.initializeMint();
    const wallets = await this.#wallets(TOKEN_WALLETS);
    const { address, keys } = await this.#openPool();
    for (const room of this.rooms) {
      if (room.isNative) await this.#furnishSol(room);
      else await this.#furnish(room, wallets);
      if (!room.isNative) room.openPool(address, keys);
    }
  }

  /** Signs and submits a draft. The caller checks the outcome. */
  submit(draft: Draft): { readonly attempt: Attempt; readonly done: Promise<void> } {
    const ledger = this.scene[draft.where];
    const memo = addMemo(`${this.#memos++}`);
    const transaction = buildTransaction(ledger, draft.signers, [...draft.instructions, memo]);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    const attempt: Attempt = { ...draft, signature, acknowledgedAt: null };
    const done = ledger.submit(transaction).then(({ err }) => {
      if (err === null) attempt.acknowledgedAt = this.written;
    });
    return { attempt, done };
  }

  /** Restarts both ledgers with only the first `count` writes. */
  async crash(count: number): Promise<void> {
    const before = this.scene;
    this.#stores = new CrashStores(this.#stores.written.slice(0, count));
    // The previous ledgers still write, but to stores that are never read again.
    await before.close();
    this.#scene = await this.#open();
    for (const room of this.rooms) {
      const { mint, tokenProgram, shuttles } = room.scene;
      room.scene = this.scene.withMint(mint, tokenProgram, shuttles);
    }
  }

  #open(): Promise<LayoutBScene> {
    return openLayoutBScene(this.#stores.open(), {
      time: this.time,
      random: new SeededRandom(`${this.#seed} ${this.#openings++}`),
      logger: this.#logger,
      mint: USDC_MINT,
    });
  }

  async #wallets(count: number): Promise<Keypair[]> {
    const wallets: Keypair[] = [];
    while (wallets.length < count) {
      const wallet = await this.scene.wallet();
      await this.scene.base.airdrop(wallet.address, STARTING_LAMPORTS);
      wallets.push(wallet);
    }
    return wallets;
  }

  async #furnish(room: Room, wallets: readonly Keypair[]): Promise<void> {
    const { scene } = room;
    const { base, mint } = scene;
    for (const wallet of wallets) {
      await base.airdropTokens(wallet.address, mint, STARTING_UNITS);
      room.purses.push({ wallet, base: { units: STARTING_UNITS }, inside: { units: 0n } });
    }
    const frozen = (await scene.wallet(1n)).address;
    const ata = scene.ataOf(frozen);
    const account = base.getAccount(ata) as Account;
    const data = Uint8Array.from(account.data);
    data[STATE_AT] = FROZEN;
    await base.setAccounts([[ata, { ...account, data }]]);
    room.frozen = frozen;
  }

  /** Opens a pool with one key for all rooms. Each room counts the payments to its keys separately. */
  async #openPool(): Promise<{ readonly address: Address; readonly keys: Address[] }> {
    const { scene, sponsor } = this;
    const address = deriveStealthPool(HANDLE).address;
    const accounts = { payer: sponsor.address, pool: address, authority: sponsor.address };
    const delegation = {
      buffer: deriveDelegateBuffer(address, EPHEMERAL_TOKEN_PROGRAM).address,
      record: deriveDelegationRecord(address).address,
      metadata: deriveDelegationMetadata(address).address,
    };
    const permission = derivePermission(address).address;
    const { address: validator } = scene.validator;
    const setUp = encode(
      STEALTH_TABLE.delegateStealthPool,
      { ...accounts, permission, delegation },
      { handle: HANDLE, validator },
    );
    await scene.must(scene.base, sponsor, setUp);
    await scene.rollup.settled();
    const keys = [(await scene.wallet()).address];
    const update = updateStealthPool(accounts, HANDLE, { destinations: keys, splitAcrossKeys: false });
    await scene.must(scene.rollup, sponsor, update);
    return { address, keys };
  }

  async #furnishSol(room: Room): Promise<void> {
    const { scene } = room;
    for (const wallet of await this.#wallets(SOL_WALLETS)) {
      const { address: payer } = wallet;
      const ata = scene.ataOf(payer);
      const { mint, tokenProgram } = scene;
      await scene.must(
        scene.base,
        wallet,
        createAtaIdempotent({ payer, ata, owner: payer, mint, tokenProgram }),
        transferLamports(payer, ata, STARTING_UNITS * 10n),
        syncNative(tokenProgram, ata),
      );
      room.purses.push({ wallet, base: { units: room.unitsOnBase(payer) }, inside: { units: 0n } });
    }
    for (let count = 0; count < SOL_PAYEES; count++) room.addPayee((await scene.wallet()).address);
  }
}
