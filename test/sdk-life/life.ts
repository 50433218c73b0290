import { strict as assert } from 'node:assert';
import type * as Web3 from '@solana/web3.js';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { waitFor } from '../stack-process.ts';
import type { Libraries } from './sdk.ts';
import { createWallet, type Wallet } from './wallet.ts';

/** The environment of a life. */
interface Place {
  readonly ledgerUrl: string;
  readonly rollupUrl: string;
  /**
   * MagicBlock's validator differs from its router and from our rollup in some responses, and has no privacy.
   */
  readonly rollupIs: 'embedded' | 'external validator';
  /** Whether deposits are private. The rollup then shows them only to their owners, who log in. */
  readonly isPrivate: boolean;
  /** Called with each step and its duration. */
  readonly tell: (line: string) => void;
}

/** Initial balance and deposit of each wallet, USDC base units. */
const STARTING_BALANCE = 1_000_000n;
const DEPOSIT = 1_000n;

/**
 * Runs a life of two wallets with MagicBlock's SDK and web3.js: deposits, transfers in both directions, an
 * overdraft, undelegations and withdrawals. Uses only two URLs and the faucet of this project.
 *
 * @throws {Error} if a balance or response is not the expected one.
 */
export async function liveBySdk(libraries: Libraries, place: Place): Promise<void> {
  const life = new Life(libraries, place);
  const vaultBefore = await life.tokensInVault();
  const [alice, bob] = [await life.begin('Alice'), await life.begin('Bob')];
  assert.equal(await life.tokensInVault(), vaultBefore + 2n * DEPOSIT);

  await life.transfer(alice, bob, 300n);
  await life.transfer(bob, alice, 50n);
  await life.transfer(alice, bob, 6n);
  const [alicesRest, bobsRest] = [DEPOSIT - 256n, DEPOSIT + 256n];
  await assert.rejects(life.transfer(alice, bob, alicesRest + 1n), /custom program error: 0x1|"Custom":1/);
  assert.equal(await life.tokensInRollup(alice), alicesRest);
  assert.equal(await life.tokensInRollup(bob), bobsRest);
  if (place.isPrivate) await assert.rejects(life.tokensForStranger(alice), /could not find account/);

  for (const [wallet, rest] of [
    [alice, alicesRest],
    [bob, bobsRest],
  ] as const) {
    await life.undelegate(wallet);
    await life.withdraw(wallet, rest);
    assert.equal(await life.tokensOnBase(wallet.ata), STARTING_BALANCE - DEPOSIT + rest);
  }
  assert.equal(await life.tokensInVault(), vaultBefore);
}

class Life {
  readonly #libraries: Libraries;
  readonly #place: Place;
  readonly #base: Web3.Connection;
  readonly #mint: Web3.PublicKey;

  constructor(libraries: Libraries, place: Place) {
    const { web3 } = libraries;
    this.#libraries = libraries;
    this.#place = place;
    this.#base = new web3.Connection(place.ledgerUrl, 'confirmed');
    this.#mint = new web3.PublicKey(USDC_MINT);
  }

  /** Creates a wallet with a deposit and waits until it is on the rollup. */
  async begin(name: string): Promise<Wallet> {
    const { sdk } = this.#libraries;
    const wallet = await createWallet(this.#libraries, { ...this.#place, name, usdc: STARTING_BALANCE });
    const { identity } = await wallet.rollup.getClosestValidator();
    const validator = new this.#libraries.web3.PublicKey(identity);
    const owner = wallet.keypair.publicKey;
    const instructions = this.#place.isPrivate
      ? await sdk.delegatePrivateSpl(owner, this.#mint, DEPOSIT, {
          validator,
          initVaultIfMissing: true,
          delegatePermission: true,
        })
      : await sdk.delegateSpl(owner, this.#mint, DEPOSIT, { validator });
    await this.#timed(`${name} deposits ${DEPOSIT}`, () => this.#sendToBase(wallet, instructions));
    assert.equal(await this.#ownerOf(wallet.eata), sdk.DELEGATION_PROGRAM_ID.toBase58());
    await this.#timed(`the rollup has them`, () =>
      waitFor(async () => (await this.tokensInRollup(wallet)) === DEPOSIT),
    );
    // MagicBlock's validator only has the accounts that it has projected.
    const account = this.#place.rollupIs === 'embedded' ? wallet.eata : wallet.ata;
    assert.equal((await wallet.rollup.getDelegationStatus(account)).isDelegated, true);
    return wallet;
  }

  async transfer(from: Wallet, to: Wallet, amount: bigint): Promise<void> {
    const { web3 } = this.#libraries;
    // SPL Token `Transfer` is tag 3 and the amount; the SDK has no such instruction.
    const data = Buffer.alloc(9, 3);
    data.writeBigUInt64LE(amount, 1);
    const instruction = new web3.TransactionInstruction({
      programId: new web3.PublicKey(TOKEN_PROGRAM),
      keys: [
        { pubkey: from.ata, isSigner: false, isWritable: true },
        { pubkey: to.ata, isSigner: false, isWritable: true },
        { pubkey: from.keypair.publicKey, isSigner: true, isWritable: false },
      ],
      data,
    });
    await this.#timed(`${from.name} pays ${to.name} ${amount}`, () => this.#sendToRollup(from, instruction));
  }

  /** Undelegates the balance and waits until it is on base. */
  async undelegate(wallet: Wallet): Promise<void> {
    const { sdk } = this.#libraries;
    const signature = await this.#timed(`${wallet.name} undelegates`, () =>
      this.#sendToRollup(wallet, sdk.undelegateIx(wallet.keypair.publicKey, this.#mint)),
    );
    await this.#timed('they are on base', async () => {
      const commit = await sdk.GetCommitmentSignature(signature, wallet.rollup);
      await waitFor(async () => (await this.#base.getSignatureStatus(commit)).value?.confirmationStatus);
      await waitFor(
        async () => (await this.#ownerOf(wallet.eata)) === sdk.EPHEMERAL_SPL_TOKEN_PROGRAM_ID.toBase58(),
      );
    });
  }

  async withdraw(wallet: Wallet, amount: bigint): Promise<void> {
    const { sdk } = this.#libraries;
    const instruction = sdk.withdrawSplIx(wallet.keypair.publicKey, this.#mint, amount);
    await this.#timed(`${wallet.name} withdraws ${amount}`, () => this.#sendToBase(wallet, [instruction]));
  }

  async tokensOnBase(account: Web3.PublicKey): Promise<bigint> {
    return BigInt((await this.#base.getTokenAccountBalance(account)).value.amount);
  }

  async tokensInRollup({ rollup, ata }: Wallet): Promise<bigint> {
    return BigInt((await rollup.getTokenAccountBalance(ata)).value.amount);
  }

  /** Returns the balance that the rollup returns without a token. */
  async tokensForStranger({ ata }: Wallet): Promise<bigint> {
    const rollup = new this.#libraries.web3.Connection(this.#place.rollupUrl, 'confirmed');
    return BigInt((await rollup.getTokenAccountBalance(ata)).value.amount);
  }

  /** Returns the balance of the vault; 0 if there is none. */
  async tokensInVault(): Promise<bigint> {
    const { sdk } = this.#libraries;
    const account = sdk.deriveVaultAta(this.#mint, sdk.deriveVault(this.#mint)[0]);
    return (await this.#base.getAccountInfo(account)) === null ? 0n : await this.tokensOnBase(account);
  }

  async #ownerOf(account: Web3.PublicKey): Promise<string | undefined> {
    return (await this.#base.getAccountInfo(account))?.owner.toBase58();
  }

  /** Sends a transaction and waits for its WebSocket notification. */
  async #sendToBase(
    { keypair }: Wallet,
    instructions: readonly Web3.TransactionInstruction[],
  ): Promise<string> {
    const { web3 } = this.#libraries;
    const transaction = new web3.Transaction().add(...instructions);
    return await web3.sendAndConfirmTransaction(this.#base, transaction, [keypair]);
  }

  async #sendToRollup(
    { rollup, keypair }: Wallet,
    instruction: Web3.TransactionInstruction,
  ): Promise<string> {
    const { web3 } = this.#libraries;
    const transaction = new web3.Transaction({ feePayer: keypair.publicKey }).add(instruction);
    return this.#place.rollupIs === 'embedded'
      ? await rollup.sendAndConfirmTransaction(transaction, [keypair])
      : await web3.sendAndConfirmTransaction(
          new web3.Connection(rollup.rpcEndpoint, 'confirmed'),
          transaction,
          [keypair],
        );
  }

  async #timed<T>(what: string, act: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const result = await act();
    this.#place.tell(`${what}: ${(performance.now() - startedMs).toFixed(0)} ms`);
    return result;
  }
}
