import { mintAccount } from '../../src/ledger/genesis/genesis.ts';
import type { Keypair } from '../../src/ledger/keypair.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { HandClock } from '../../src/ledger/testing/hand-clock.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { EPHEMERAL_TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../src/programs/ephemeral-token/table/eata.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { eataAmount } from '../../src/rollup/projection/projections.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from '../../src/rollup/testing/rollup-scene.ts';
import { type Address, addressOf } from '../../src/solana/address.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../../src/solana/transaction.ts';
import type { Action } from './model.ts';

/** A mint with 9 decimals, in addition to USDC with 6. */
const NINE_MINT = addressOf(new Uint8Array(32).fill(99));

export const MINTS: readonly Address[] = [USDC_MINT, NINE_MINT];
export const WALLETS = 5;

/** Initial balance of each wallet and mint, in base units. */
export const STARTING_BALANCE = 1_000n;

/** The owner and mint of a holding. */
interface Holder {
  readonly wallet: Keypair;
  readonly mint: Address;
}

/** A submitted transaction. */
export interface Attempt {
  readonly action: Action;
  readonly signature: string;
  readonly where: 'base' | 'rollup';
  /** Whether it succeeded. */
  readonly done: Promise<boolean>;
}

/** The two real ledgers and their wallets. Records every write, to simulate a crash after any of them. */
export class Stage {
  readonly stores: CrashStores;
  readonly scene: RollupScene;
  readonly holders: readonly Holder[];
  readonly #logger: Logger;
  #memos: number;
  /** Set if a mint's vault ever had less than the claims of the eATAs on base. */
  #shortage: string | null = null;

  private constructor(
    stores: CrashStores,
    scene: RollupScene,
    holders: readonly Holder[],
    logger: Logger,
    memos: number,
  ) {
    this.stores = stores;
    this.scene = scene;
    this.holders = holders;
    this.#logger = logger;
    this.#memos = memos;
    const eatas = holders.map((holder) => ({
      mint: holder.mint,
      eata: accountsOf(holder.wallet.address, holder.mint).eata,
    }));
    scene.base.subscribe(() => {
      for (const mint of MINTS) {
        const ofMint = eatas.filter((each) => each.mint === mint);
        const amounts = ofMint.map(({ eata }) => eataAmount(scene.base.getAccount(eata)) ?? 0n);
        const owed = amounts.reduce((sum, amount) => sum + amount, 0n);
        if (owed > scene.vaultTokens(mint)) this.#shortage = mint;
      }
    });
  }

  /** @throws {Error} if a vault was short of tokens at any time. */
  assertNeverShort(): void {
    if (this.#shortage !== null) throw new Error(`the vault of ${this.#shortage} had too few tokens`);
  }

  static async open(clock: HandClock, logger: Logger): Promise<Stage> {
    const stores = new CrashStores();
    const scene = await openScene(stores.open(), { clock, logger });
    await scene.base.setAccounts([[NINE_MINT, mintAccount(scene.base.faucet, 9)]]);
    const holders: Holder[] = [];
    for (let count = 0; count < WALLETS; count++) {
      const wallet = await scene.wallet(STARTING_BALANCE);
      await scene.base.airdropTokens(wallet.address, NINE_MINT, STARTING_BALANCE);
      for (const mint of MINTS) holders.push({ wallet, mint });
    }
    return new Stage(stores, scene, holders, logger, 0);
  }

  /** Returns a new stage with only the first `count` writes. The old stage must not be used any more. */
  async crash(count: number): Promise<Stage> {
    const stores = new CrashStores(this.stores.written.slice(0, count));
    const { clock } = this.scene;
    const scene = await openScene(stores.open(), { clock, logger: this.#logger });
    return new Stage(stores, scene, this.holders, this.#logger, this.#memos);
  }

  holder(index: number): Holder {
    return this.holders[index] as Holder;
  }

  /** Starts an action. It has executed when this returns, but may not be durable yet. */
  attempt(action: Action): Attempt {
    const where = action.kind === 'deposit' || action.kind === 'withdraw' ? 'base' : 'rollup';
    const ledger: Ledger = this.scene[where];
    const transaction = this.#transactionOf(action, ledger);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    const done = ledger.submit(transaction).then(({ err }) => err === null);
    return { action, signature, where, done };
  }

  /** Returns whether an attempt has landed. */
  hasLanded({ where, signature }: Attempt): boolean {
    return this.scene[where].getTransaction(signature)?.err === null;
  }

  /** Number of times that an eATA was undelegated on base. */
  returnsOf(index: number): number {
    const { wallet, mint } = this.holder(index);
    const address = accountsOf(wallet.address, mint).eata;
    const records = this.scene.base.signaturesFor({ address, limit: 1_000_000 });
    return records.filter(({ err, wire }) => {
      const { staticKeys, instructions } = decodeTransaction(wire);
      return err === null && staticKeys[0] === this.scene.validator.address && instructions.length === 4;
    }).length;
  }

  isOnBase(index: number): boolean {
    const { wallet, mint } = this.holder(index);
    const account = this.scene.base.getAccount(accountsOf(wallet.address, mint).eata);
    return account?.owner === EPHEMERAL_TOKEN_PROGRAM;
  }

  /** Whether an eATA can be spent on the rollup. */
  isOnRollup(index: number): boolean {
    const { wallet, mint } = this.holder(index);
    const status = this.scene.rollup.delegationStatus(accountsOf(wallet.address, mint).eata);
    return status.isDelegated && !status.isUndelegating;
  }

  #transactionOf(action: Action, ledger: Ledger): Transaction {
    const signer = this.holder(action.kind === 'theft' ? action.by : action.of).wallet;
    const memo = addMemo(`${this.#memos++}`);
    return buildTransaction(ledger, [signer], [...this.#instructionsOf(action), memo]);
  }

  #instructionsOf(action: Action): Instruction[] {
    const { wallet, mint } = this.holder(action.of);
    const accounts = accountsOf(wallet.address, mint);
    switch (action.kind) {
      case 'deposit': {
        const instructions = this.scene.deposit(wallet, action.amount, accounts);
        return action.delegates ? instructions : instructions.slice(0, -1);
      }
      case 'withdraw':
        return [
          encode(EATA_TABLE_A.withdraw, accounts, { amount: action.amount, vaultBump: accounts.vaultBump }),
        ];
      case 'transfer':
        return [this.scene.payment(wallet, this.holder(action.to).wallet.address, action.amount, mint)];
      case 'undelegate':
        return [this.scene.undelegation(wallet, mint)];
      case 'theft': {
        const owner = this.holder(action.by).wallet.address;
        return [
          encode(EATA_TABLE.undelegateEata, { owner, ownerAta: accounts.ownerAta, eata: accounts.eata }),
        ];
      }
    }
  }
}
