import { FROM, TO } from '../../src/payments/transfer/testing/transfer-scene.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { type PlayedNetwork, playNetwork } from './played-network.ts';
import { networkVariables, type Service, startService } from './start-service.ts';

/** The methods that the service calls. */
export const ACCOUNTS = 'getMultipleAccounts';
export const BLOCKHASH = 'getLatestBlockhash';
export const IDENTITY = 'getIdentity';

const mint = USDC_MINT;
const amount = 1_000_000;

/** Requests from FROM that succeed. */
export const DEPOSIT = { owner: FROM, mint, amount };
export const BALANCE = { address: FROM, mint };
export const PAYMENT = { from: FROM, to: TO, mint, amount };
export const PUBLIC_PAYMENT = { ...PAYMENT, visibility: 'public' };
/** Public too, so no validator is needed. */
export const ROLLUP_PAYMENT = { ...PUBLIC_PAYMENT, fromBalance: 'ephemeral', toBalance: 'ephemeral' };

export const newBlockhash = (): string => encodeBase58(systemRandom.bytes(32));

/** Returns the blockhash in a built transaction, in base58. */
export function blockhashOf(built: Readonly<Record<string, unknown>>): string {
  const wire = new Uint8Array(Buffer.from(built['transactionBase64'] as string, 'base64'));
  const { blockhashAt } = decodeTransaction(wire);
  return encodeBase58(wire.subarray(blockhashAt, blockhashAt + 32));
}

/** A mainnet and a devnet with different blockhashes. */
export class TwoNetworks {
  readonly mainnet: PlayedNetwork;
  readonly devnet: PlayedNetwork;

  static async start(): Promise<TwoNetworks> {
    const start = (): Promise<PlayedNetwork> => playNetwork({ base: newBlockhash(), rollup: newBlockhash() });
    return new TwoNetworks(await start(), await start());
  }

  private constructor(mainnet: PlayedNetwork, devnet: PlayedNetwork) {
    this.mainnet = mainnet;
    this.devnet = devnet;
  }

  /** Starts a service with both networks; `cluster` is its default. */
  serve(cluster: string, after: (end: () => Promise<void>) => void): Promise<Service> {
    const env = { ...networkVariables('mainnet', this.mainnet), ...networkVariables('devnet', this.devnet) };
    return startService({ CLUSTER: cluster, ...env }, after);
  }

  /** Clears the recorded calls of the nodes. */
  forgetCalls(): void {
    for (const { base, rollup } of [this.mainnet, this.devnet]) {
      base.takeMethods();
      rollup.takeMethods();
    }
  }

  /** Changes all blockhashes. */
  moveOn(): void {
    for (const node of [this.mainnet, this.devnet].flatMap(({ base, rollup }) => [base, rollup])) {
      node.blockhash = newBlockhash();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.mainnet.close(), this.devnet.close()]);
  }
}
