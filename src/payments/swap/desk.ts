import type { Chain } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { transferLamports } from '../../programs/system.ts';
import { transferChecked } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { type BuiltTransaction, buildTransaction } from '../building/built-transaction.ts';
import { AMOUNT_MAX } from '../fields/fields.ts';
import { type MintFacts, readMint } from '../mints/mint-facts.ts';
import { readMintTerms, requireMovable, withholds } from '../mints/mint-terms.ts';
import { BPS, type QuoteOutput, SLIPPAGE_BPS_DEFAULT, type SwapTerms } from './quote.ts';

/** Name of the desk in its quotes. */
export const DESK_LABEL = 'localnet desk';

/** The price of 1 SOL, in whole tokens of any mint. Every other mint has the price 1. */
const SOL_PRICE = 100n;

/** Lamports that the desk keeps for its token accounts. */
const DESK_RESERVE_LAMPORTS = 10_000_000n;

/** The key of the desk. */
export interface DeskKey {
  readonly address: Address;
  /** Adds the desk's signature to a transaction that needs it, and returns the transaction. */
  cosign(wire: Uint8Array): Uint8Array;
}

/** The faucet that funds the desk. Both methods resolve when the desk has the money. */
interface DeskFaucet {
  airdrop(owner: Address, lamports: bigint): Promise<unknown>;
  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<unknown>;
}

/** A request for a quote of the desk. */
interface DeskRequest extends Pick<SwapTerms, 'inputMint' | 'outputMint' | 'swapMode'> {
  /** Amount of the side that `swapMode` fixes, in base units. */
  readonly amount: bigint;
  readonly slippageBps?: number | undefined;
}

/** A swap to build. */
interface DeskOrder extends SwapTerms {
  readonly user: Address;
  /** Pays the network fee, and the rent of the user's new token account. */
  readonly payer: Address;
  /** Token account that receives the output instead of the user's; null for the user's. */
  readonly tokenDestination: Address | null;
  /** Wallet that receives SOL instead of the user; null for the user. */
  readonly solDestination: Address | null;
}

/**
 * A stand-in for exchanges, so that swaps can be tested on an embedded ledger. It swaps any mints that the
 * faucet can mint, and plain SOL, at fixed prices and from its own wallet.
 */
export class SwapDesk {
  readonly #key: DeskKey;
  readonly #faucet: DeskFaucet;

  constructor(key: DeskKey, faucet: DeskFaucet) {
    this.#key = key;
    this.#faucet = faucet;
  }

  /** The wallet that trades. */
  get address(): Address {
    return this.#key.address;
  }

  /**
   * Quotes a swap. The price never changes, so the slippage has no effect.
   *
   * @throws {ServiceError} INVALID_AMOUNT if an amount would be 0 or above u64; the errors of `readMint`;
   *   UNSUPPORTED_MINT_EXTENSION.
   */
  async quote(chain: Chain, request: DeskRequest): Promise<QuoteOutput> {
    const { inputMint, outputMint, swapMode, amount, slippageBps = SLIPPAGE_BPS_DEFAULT } = request;
    const [input, output] = await Promise.all([
      readTradable(chain, inputMint),
      readTradable(chain, outputMint),
    ]);
    const isExactIn = swapMode === 'ExactIn';
    const [paid, got] = [priceOf(input) * unitOf(output), priceOf(output) * unitOf(input)];
    const inAmount = isExactIn ? amount : (amount * got + paid - 1n) / paid;
    const outAmount = isExactIn ? (amount * paid) / got : amount;
    if (outAmount === 0n || inAmount > AMOUNT_MAX || outAmount > AMOUNT_MAX) {
      throw new ServiceError(
        'INVALID_AMOUNT',
        `At the price of the ${DESK_LABEL}, ${inAmount} base units of ${inputMint} are ${outAmount} of ${outputMint}: both must be from 1 to ${AMOUNT_MAX}`,
        { field: 'amount' },
      );
    }
    const amounts = { inputMint, inAmount: `${inAmount}`, outputMint, outAmount: `${outAmount}` };
    return {
      ...amounts,
      otherAmountThreshold: isExactIn ? amounts.outAmount : amounts.inAmount,
      swapMode,
      slippageBps,
      priceImpactPct: '0',
      routePlan: [
        { swapInfo: { ammKey: this.#key.address, label: DESK_LABEL, ...amounts }, percent: 100, bps: BPS },
      ],
    };
  }

  /**
   * Funds the desk and builds the swap, signed by the desk: the user pays the desk, and the desk pays the
   * user.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS if the quote is not the desk's; the errors of {@link quote}, the
   *   faucet and `buildTransaction`.
   */
  async build(chain: Chain, order: DeskOrder): Promise<BuiltTransaction> {
    await this.#requireOwnQuote(chain, order);
    const [input, output] = await Promise.all([
      readMint(chain, order.inputMint),
      readMint(chain, order.outputMint),
    ]);
    await this.#fund(chain, order, output);
    const instructions = [...this.#payIn(order, input), ...this.#payOut(order, output)];
    const built = await buildTransaction(chain, order.payer, instructions);
    const wire = this.#key.cosign(Buffer.from(built.transactionBase64, 'base64'));
    return { ...built, transactionBase64: Buffer.from(wire).toString('base64') };
  }

  async #requireOwnQuote(chain: Chain, order: DeskOrder): Promise<void> {
    const { swapMode, inAmount, outAmount } = order;
    const amount = swapMode === 'ExactIn' ? inAmount : outAmount;
    const own = await this.quote(chain, { ...order, amount });
    if (own.inAmount === `${inAmount}` && own.outAmount === `${outAmount}`) return;
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `quoteResponse is not a quote of the ${DESK_LABEL}: request a quote on this cluster`,
      { field: 'quoteResponse' },
    );
  }

  async #fund(chain: Chain, { outAmount }: DeskOrder, output: MintFacts): Promise<void> {
    const { address } = this.#key;
    const isSol = output.mint === NATIVE_MINT;
    const [wallet = null, holding = null] = await chain.getAccounts([address, ataOf(address, output)]);
    const lamports = DESK_RESERVE_LAMPORTS + (isSol ? outAmount : 0n);
    if ((wallet?.lamports ?? 0n) < lamports) await this.#faucet.airdrop(address, lamports);
    if (isSol) return;
    const held = holding === null ? null : decodeTokenAccount(holding.data);
    if ((held?.amount ?? 0n) < outAmount) await this.#faucet.airdropTokens(address, output.mint, outAmount);
  }

  #payIn({ user, inAmount }: DeskOrder, input: MintFacts): Instruction[] {
    const { address: desk } = this.#key;
    if (input.mint === NATIVE_MINT) return [transferLamports(user, desk, inAmount)];
    const destination = ataOf(desk, input);
    return [
      createAtaIdempotent({ payer: desk, ata: destination, owner: desk, ...input }),
      transferChecked(
        input.tokenProgram,
        { source: ataOf(user, input), mint: input.mint, destination, authority: user },
        inAmount,
        input.decimals,
      ),
    ];
  }

  #payOut(order: DeskOrder, output: MintFacts): Instruction[] {
    const { address: desk } = this.#key;
    const { user, payer, outAmount } = order;
    if (output.mint === NATIVE_MINT) {
      return [transferLamports(desk, order.solDestination ?? user, outAmount)];
    }
    const ata = ataOf(user, output);
    const { tokenDestination: destination = null } = order;
    return [
      ...(destination === null ? [createAtaIdempotent({ payer, ata, owner: user, ...output })] : []),
      transferChecked(
        output.tokenProgram,
        {
          source: ataOf(desk, output),
          mint: output.mint,
          destination: destination ?? ata,
          authority: desk,
        },
        outAmount,
        output.decimals,
      ),
    ];
  }
}

const ataOf = (owner: Address, { mint, tokenProgram }: MintFacts): Address =>
  deriveAta(owner, mint, tokenProgram).address;

const priceOf = ({ mint }: MintFacts): bigint => (mint === NATIVE_MINT ? SOL_PRICE : 1n);

const unitOf = ({ decimals }: MintFacts): bigint => 10n ** BigInt(decimals);

async function readTradable(chain: Chain, mint: Address): Promise<MintFacts> {
  const facts = await readMint(chain, mint);
  const terms = await readMintTerms(chain, facts);
  requireMovable(facts, terms);
  if (!withholds(terms)) return facts;
  throw new ServiceError(
    'UNSUPPORTED_MINT_EXTENSION',
    `mint ${mint} withholds part of every transfer, so the ${DESK_LABEL} cannot swap it; pass another mint`,
    { field: 'mint', mint, extension: 'TransferFeeConfig' },
  );
}
