import { paymentIdOf } from '../../src/settlement/payment-id.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { setComputeUnitLimit } from '../../src/programs/compute-budget.ts';
import { concat, u64, u8 } from '../../src/programs/instruction-data.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { transferChecked } from '../../src/programs/token/instructions.ts';
import { type Address, addressBytes } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import { encodeUnsignedTransaction } from '../../src/solana/message.ts';
import { SIGNATURE_BYTES } from '../../src/solana/signature.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { compileV0Message } from '../../src/solana/versioned-message.ts';
import { ask, membersOf } from '../replicas/ask.ts';
import type { Network } from '../replicas/network.ts';
import { callLedger, type StackProcess, waitFor } from '../stack-process.ts';

/** Mainnet, as x402 names it. */
const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** Base units of USDC. */
export const PRICE = 10_000n;

/** A payment, and the answers to all requests to settle it. */
export interface Sent {
  readonly id: string;
  readonly body: object;
  readonly answers: Readonly<Record<string, unknown>>[];
}

/** The first wallet is the customer. */
type ShopNetwork = Pick<Network, 'ledgerUrl' | 'wallets' | 'env'>;

/** A resource server and its customer. */
export class Shop {
  readonly env: Record<string, string>;
  readonly #network: ShopNetwork;
  readonly #facilitator: Keypair;
  readonly #merchant: Keypair;
  #count = 0;

  constructor(network: ShopNetwork, merchant: Keypair, seed: Uint8Array) {
    this.#network = network;
    this.#merchant = merchant;
    this.#facilitator = new Keypair(seed);
    this.env = {
      ...network.env,
      FACILITATOR_SECRET_KEY: JSON.stringify([...seed, ...addressBytes(this.#facilitator.address)]),
    };
  }

  /** Funds the facilitator, and creates the token account of the merchant. */
  async open(): Promise<void> {
    const { ledgerUrl } = this.#network;
    await callLedger(ledgerUrl, 'requestAirdrop', [this.#facilitator.address, 1_000_000_000]);
    await callLedger(ledgerUrl, 'requestTokenAirdrop', [this.#merchant.address, USDC_MINT, 1]);
    await waitFor(async () => (await this.#balance()) === 1n);
  }

  /** Builds a payment that differs from all others. */
  async build(): Promise<Sent> {
    const [payer] = this.#network.wallets as [Keypair];
    const feePayer = this.#facilitator.address;
    const { value } = await callLedger<{ value: { blockhash: string } }>(
      this.#network.ledgerUrl,
      'getLatestBlockhash',
    );
    const price = {
      programId: COMPUTE_BUDGET_PROGRAM,
      accounts: [],
      data: concat(u8(3), u64(1n)),
    };
    const place = {
      source: ataOf(payer.address),
      mint: USDC_MINT,
      destination: ataOf(this.#merchant.address),
      authority: payer.address,
    };
    const transfer = transferChecked(TOKEN_PROGRAM, place, PRICE, 6);
    const instructions = [
      setComputeUnitLimit(20_000),
      price,
      transfer,
      addMemo(`order ${(this.#count += 1)}`),
    ];
    const source = { feePayer, blockhash: decodeBase58(value.blockhash), instructions };
    const message = compileV0Message(source, { address: feePayer, addresses: [] });
    const wire = encodeUnsignedTransaction(message);
    wire.set(payer.sign(message.bytes), 1 + message.signers.indexOf(payer.address) * SIGNATURE_BYTES);
    const paymentRequirements = {
      scheme: 'exact',
      network: NETWORK,
      amount: String(PRICE),
      asset: USDC_MINT,
      payTo: this.#merchant.address,
      maxTimeoutSeconds: 60,
      extra: { feePayer },
    };
    const payload = { transaction: Buffer.from(wire).toString('base64') };
    const paymentPayload = { x402Version: 2, accepted: paymentRequirements, payload };
    return {
      id: paymentIdOf(decodeTransaction(wire)),
      body: { x402Version: 2, paymentPayload, paymentRequirements },
      answers: [],
    };
  }

  /** Returns the base units that payments have brought. */
  async received(): Promise<bigint> {
    return (await this.#balance()) - 1n;
  }

  async #balance(): Promise<bigint> {
    const { value } = await callLedger<{ value: { amount: string } }>(
      this.#network.ledgerUrl,
      'getTokenAccountBalance',
      [ataOf(this.#merchant.address)],
    );
    return BigInt(value.amount);
  }
}

const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

/** Requests the settlement of a payment. Retries while the store is busy, as on a loaded machine. */
export async function settle(url: string, payment: Sent): Promise<void> {
  const answer = await ask(`${url}/x402/settle`, payment.body);
  if (answer.status === 503) return await settle(url, payment);
  payment.answers.push(membersOf(answer));
}

/** Settles a payment until its outcome is known, as resource servers do. */
export async function settleToTheEnd(url: string, payment: Sent): Promise<void> {
  const isOver = ({ errorReason }: Readonly<Record<string, unknown>>): boolean =>
    errorReason !== 'settlement_pending';
  const last = payment.answers.at(-1);
  if (last !== undefined && isOver(last)) return;
  await waitFor(async () => {
    await settle(url, payment);
    return isOver(payment.answers.at(-1) ?? {});
  });
}

/** Kills the program with its supervisor, which would otherwise restart it. */
export async function kill(stack: StackProcess): Promise<void> {
  const pid = stack.stackPid();
  stack.child.kill('SIGSTOP');
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  stack.child.kill('SIGKILL');
  await stack.ended;
}
