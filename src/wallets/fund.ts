import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { FINAL_BLOCKS } from '../chain/final-blocks.ts';
import { ServiceError } from '../errors/service-error.ts';
import { address, amount } from '../payments/fields/fields.ts';
import type { Operation } from '../payments/operation.ts';
import { awaitOutcome, type Waiting } from '../payments/send-transaction/submit.ts';
import type { Address } from '../solana/address.ts';

/** The faucet of a ledger. Both methods resolve with the signature of the faucet's transaction. */
export interface LocalFaucet {
  airdrop(owner: Address, lamports: bigint): Promise<string>;
  airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string>;
}

const input = z.strictObject({
  wallet: address('The wallet to fund.'),
  lamports: amount('SOL to give, in lamports: 1 SOL is 1000000000.').optional(),
  amount: amount("Tokens to give, in the mint's base units.").optional(),
  mint: address('The mint of the tokens. Default: USDC.').optional(),
});
const output = z.object({
  wallet: z.string().meta({ description: 'The wallet.' }),
  mint: z.string().optional().meta({ description: 'The mint of the tokens; absent if none were sent.' }),
  signatures: z.array(z.string()).meta({ description: 'The signatures of the transactions, base58.' }),
});

type Input = z.infer<typeof input>;

/** Gives SOL and tokens. Errors: INVALID_ARGUMENTS, INVALID_AMOUNT, MINT_NOT_FOUND, and faucet errors. */
export function createFund(
  chain: Chain,
  faucet: LocalFaucet,
  waiting: Waiting,
): Operation<Input, z.infer<typeof output>> {
  return {
    namespace: 'localnet',
    name: 'fund',
    title: 'Fund a wallet on localnet',
    description:
      'Gives a wallet SOL, tokens or both on localnet, where they have no value, and waits until it has them. A wallet needs SOL for fees and rent: 1 SOL is enough.',
    effect: 'local',
    input: input as unknown as z.ZodType<Input>,
    output,
    async run({ wallet, lamports, amount: tokens, mint = chain.defaultMint }) {
      if (lamports === undefined && tokens === undefined) {
        throw new ServiceError('INVALID_ARGUMENTS', 'Nothing to give: pass lamports, amount or both');
      }
      // Tokens come first, so that an invalid mint fails before anything is given.
      const signatures = [
        ...(tokens === undefined ? [] : [await faucet.airdropTokens(wallet, mint, tokens)]),
        ...(lamports === undefined ? [] : [await faucet.airdrop(wallet, lamports)]),
      ];
      for (const signature of signatures) await requireLanded(chain, signature, waiting);
      const given = [
        ...(lamports === undefined ? [] : [`${lamports} lamports`]),
        ...(tokens === undefined ? [] : [`${tokens} base units of mint ${mint}`]),
      ];
      return {
        output: { wallet, ...(tokens !== undefined && { mint }), signatures },
        sentences: ['Funded the wallet.', `${wallet} received ${given.join(' and ')} on localnet.`],
      };
    },
  };
}

async function requireLanded(chain: Chain, signature: string, waiting: Waiting): Promise<void> {
  const awaited = {
    signature,
    lastValidBlockHeight: null,
    token: undefined,
    isBlind: false,
    finalBlocks: FINAL_BLOCKS,
  };
  const outcome = await awaitOutcome(chain, awaited, waiting);
  if (outcome.kind === 'landed' && outcome.status.err === null) return;
  throw new ServiceError(
    'TRANSACTION_FAILED',
    `The faucet's transaction ${signature} failed on the ledger; its logs say why`,
    {
      signature,
    },
  );
}
