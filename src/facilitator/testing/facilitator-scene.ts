import { Clusters } from '../../chain/clusters.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { setComputeUnitLimit } from '../../programs/compute-budget.ts';
import { concat, u64, u8 } from '../../programs/instruction-data.ts';
import { addMemo } from '../../programs/memo.ts';
import { transferChecked } from '../../programs/token/instructions.ts';
import { openPaymentScene, type PaymentScene } from '../../rollup/testing/payment-scene.ts';
import { createFacilitatorKey, type FacilitatorKey } from '../../signing/facilitator-key.ts';
import type { Address } from '../../solana/address.ts';
import { addressBytes } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { encodeUnsignedTransaction } from '../../solana/message.ts';
import { SIGNATURE_BYTES } from '../../solana/signature.ts';
import { compileV0Message } from '../../solana/versioned-message.ts';
import { createVerifier, type Verifier } from '../verify.ts';

/** Mainnet, to whose name a localnet answers. */
export const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** The price of a payment in base units of USDC. */
export const PRICE = 10_000n;

/** Base units of USDC that each wallet gets on base. */
const FUNDS = 5_000_000n;

/** Encodes a compute unit price, in microlamports. */
export const setComputeUnitPrice = (microLamports: bigint): Instruction => ({
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: concat(u8(3), u64(microLamports)),
});

/** Parts of a transaction that differ from those of a stock client. */
export interface Built {
  readonly feePayer?: Address;
  /** base58; default the newest blockhash of base. */
  readonly blockhash?: string;
  readonly instructions?: readonly Instruction[];
  readonly signers?: readonly Keypair[];
}

/** A localnet with a facilitator, a payer and a merchant. */
export class FacilitatorScene {
  readonly payments: PaymentScene;
  readonly key: FacilitatorKey;
  readonly verifier: Verifier;
  readonly payer: Keypair;
  readonly merchant: Keypair;
  #memos = 0;

  private constructor(
    payments: PaymentScene,
    key: FacilitatorKey,
    wallets: readonly Keypair[],
    logger: Logger,
  ) {
    this.payments = payments;
    this.key = key;
    [this.payer, this.merchant] = wallets as [Keypair, Keypair];
    this.verifier = createVerifier({
      clusters: new Clusters([payments.chain]),
      feePayer: key.address,
      clock: payments.clock,
      logger,
    });
  }

  static async open(logger: Logger = silentLogger): Promise<FacilitatorScene> {
    const payments = await openPaymentScene();
    const seed = new Uint8Array(32).fill(42);
    const secret = [...seed, ...addressBytes(new Keypair(seed).address)];
    const key = createFacilitatorKey(JSON.stringify(secret), 'FACILITATOR_SECRET_KEY');
    await payments.base.airdrop(key.address, 1_000_000_000n);
    const wallets = [await payments.wallet(), await payments.wallet()];
    for (const { address } of wallets) await payments.base.airdropTokens(address, USDC_MINT, FUNDS);
    return new FacilitatorScene(payments, key, wallets, logger);
  }

  /** Deposits tokens of both wallets, so that payments between them are settled on the rollup. */
  async deposit(visibility: 'public' | 'private'): Promise<void> {
    for (const wallet of [this.payer, this.merchant]) {
      const args = {
        owner: wallet.address,
        mint: USDC_MINT,
        amount: '1000000',
        private: visibility === 'private',
      };
      await this.payments.do(wallet, 'deposit', { ...args, initIfMissing: true, initVaultIfMissing: true });
    }
    await this.payments.rollup.settled();
  }

  /** The newest blockhash of the rollup, base58. */
  get rollupBlockhash(): string {
    return this.payments.rollup.head().blockhash;
  }

  get transfer(): Instruction {
    return this.transferOf({});
  }

  /** Encodes the transfer of a payment. */
  transferOf({
    amount = PRICE,
    authority = this.payer.address,
    source = ataOf(this.payer.address),
    destination = ataOf(this.merchant.address),
    mint = USDC_MINT,
    program = TOKEN_PROGRAM,
  }: {
    readonly amount?: bigint;
    readonly authority?: Address;
    readonly source?: Address;
    readonly destination?: Address;
    readonly mint?: Address;
    readonly program?: Address;
  }): Instruction {
    return transferChecked(program, { source, mint, destination, authority }, amount, 6);
  }

  /** Lists the instructions of a stock client. */
  instructions(memo = `nonce ${this.#memos++}`): Instruction[] {
    return [setComputeUnitLimit(20_000), setComputeUnitPrice(1n), this.transfer, addMemo(memo)];
  }

  /** Builds a v0 transaction as a stock client does, without the signature of the fee payer. */
  build({
    feePayer = this.key.address,
    blockhash = this.payments.base.head().blockhash,
    instructions = this.instructions(),
    signers = [this.payer],
  }: Built = {}): Uint8Array {
    const source = { feePayer, blockhash: decodeBase58(blockhash), instructions };
    const message = compileV0Message(source, { address: feePayer, addresses: [] });
    const wire = encodeUnsignedTransaction(message);
    for (const signer of signers) {
      const place = message.signers.indexOf(signer.address);
      if (place >= 0) wire.set(signer.sign(message.bytes), 1 + place * SIGNATURE_BYTES);
    }
    return wire;
  }

  /** Builds the requirement of version 2. */
  requirement({ extra, ...changes }: { readonly extra?: object; readonly [member: string]: unknown } = {}) {
    return {
      scheme: 'exact',
      network: NETWORK,
      amount: String(PRICE),
      asset: USDC_MINT,
      payTo: this.merchant.address,
      maxTimeoutSeconds: 60,
      ...changes,
      extra: { feePayer: this.key.address, ...extra },
    };
  }

  /** Builds the body of `/verify` in version 2. */
  body(wire: Uint8Array, paymentRequirements: object = this.requirement()) {
    const transaction = Buffer.from(wire).toString('base64');
    const paymentPayload = { x402Version: 2, accepted: paymentRequirements, payload: { transaction } };
    return { x402Version: 2, paymentPayload, paymentRequirements };
  }

  async close(): Promise<void> {
    await this.payments.close();
  }
}

/** Derives the associated token account for USDC. */
export const ataOf = (owner: Address): Address => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;

/** Creates the associated token account for USDC of an owner. */
export const createAta = (payer: Address, owner: Address): Instruction =>
  createAtaIdempotent({ payer, owner, ata: ataOf(owner), mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM });
