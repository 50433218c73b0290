import { onTestFinished } from 'vitest';
import { askRaw } from '../../src/console/testing/raw-request.ts';
import type { Localnet, LocalnetOptions } from '../../src/localnet/localnet.ts';
import { startLocalnet } from '../../src/localnet/start-localnet.ts';
import { deposit, paymentsOf } from '../../src/localnet/testing/call-localnet.ts';
import type { LocalnetWallet } from '../../src/localnet/localnet.ts';

/** A localnet with payments and its console. */
export class Life {
  readonly localnet: Localnet;
  readonly alice: LocalnetWallet;
  readonly bob: LocalnetWallet;

  private constructor(localnet: Localnet, alice: LocalnetWallet, bob: LocalnetWallet) {
    this.localnet = localnet;
    this.alice = alice;
    this.bob = bob;
  }

  /** Starts it with two wallets that have 10 tokens each. It ends with the test. */
  static async start(options: LocalnetOptions = {}): Promise<Life> {
    const localnet = await startLocalnet(options);
    onTestFinished(() => localnet.close());
    const gift = { sol: 1, tokens: 10_000_000n };
    return new Life(localnet, await localnet.createWallet(gift), await localnet.createWallet(gift));
  }

  /** Reads a path of the console. */
  async read<T>(path: string): Promise<T> {
    const { status, text } = await askRaw(this.localnet.urls.service, path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  async deposit(wallet: LocalnetWallet, amount: bigint): Promise<string> {
    const signature = await deposit(this.localnet, wallet, amount);
    await this.localnet.settled();
    return signature;
  }

  /** Undelegates a wallet's balance and waits until it is settled. */
  async undelegate(wallet: LocalnetWallet): Promise<void> {
    const built = await paymentsOf(this.localnet).undelegate({
      payer: wallet.address,
      mint: this.localnet.mint,
    });
    await this.localnet.send(built, wallet);
    await this.localnet.settled();
  }

  async withdraw(wallet: LocalnetWallet, amount: bigint): Promise<void> {
    const built = await paymentsOf(this.localnet).withdraw({
      owner: wallet.address,
      mint: this.localnet.mint,
      amount,
    });
    await this.localnet.send(built, wallet);
    await this.localnet.settled();
  }
}
