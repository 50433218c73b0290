import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { isLoginOf } from '../chain/login-challenge.ts';
import { ServiceError } from '../errors/service-error.ts';
import { readSignatures } from '../payments/explain/call.ts';
import { address } from '../payments/fields/fields.ts';
import { readTransactionText, transactionText } from '../payments/fields/transaction-field.ts';
import type { Operation } from '../payments/operation.ts';
import type { Waiting } from '../payments/send-transaction/submit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import type { Transaction } from '../solana/transaction.ts';
import { createFund, type LocalFaucet } from './fund.ts';
import type { PaymentCheck } from './payment-check.ts';
import { signMissing } from './sign-missing.ts';
import type { TestWallets } from './test-wallets.ts';

/** The tool names, without their namespace. */
export const WALLET_TOOLS = ['createWallet', 'fund', 'signAndSend', 'login'] as const;

interface WalletParts {
  readonly wallets: TestWallets;
  /** The cluster `localnet`. */
  readonly chain: Chain;
  readonly faucet: LocalFaucet;
  readonly send: Send;
  /** The spending policy; null if there is none. */
  readonly check: PaymentCheck | null;
  readonly waiting: Waiting;
}

/** Creates the tools for a complete payment on localnet, starting with a new wallet. Only MCP offers them. */
export function createWalletOperations({
  wallets,
  chain,
  faucet,
  send,
  check,
  waiting,
}: WalletParts): readonly Operation[] {
  return [
    createCreateWallet(wallets),
    createFund(chain, faucet, waiting),
    createSignAndSend(wallets, send, check),
    createLogIn(wallets, chain, waiting.clock),
  ] as readonly Operation[];
}

const walletInput = z.strictObject({});
const walletOutput = z.object({
  wallet: z.string().meta({ description: 'The address of the new wallet, base58.' }),
});

/** Creates a test wallet. Errors: SERVICE_BUSY. */
function createCreateWallet(
  wallets: TestWallets,
): Operation<z.infer<typeof walletInput>, z.infer<typeof walletOutput>> {
  return {
    namespace: 'localnet',
    name: 'createWallet',
    title: 'Create a test wallet',
    description:
      'Creates a wallet for trying payments on localnet. Its key stays in the memory of this server and is lost when the server stops. Never use it for anything of value. Fund it with localnet.fund.',
    effect: 'local',
    input: walletInput,
    output: walletOutput,
    run: async () => {
      const wallet = wallets.create();
      return {
        output: { wallet },
        sentences: ['Created a test wallet.', `${wallet} is empty: localnet.fund gives it SOL and tokens.`],
      };
    },
  };
}

const loginInput = z.strictObject({ wallet: address('The test wallet that logs in.') });
const loginOutput = z.object({
  wallet: z.string().meta({ description: 'The wallet that is logged in.' }),
});

type LoginInput = z.infer<typeof loginInput>;

/**
 * Logs a test wallet in to the rollup. The token is stored with the key, so no transcript contains it.
 * Errors: INVALID_ARGUMENTS if the address is not a test wallet, AUTH_UNAVAILABLE without a login service,
 * UPSTREAM_INVALID if the text to sign is not the wallet's current login. No other text is signed.
 */
export function createLogIn(
  wallets: TestWallets,
  chain: Chain,
  clock: Clock,
): Operation<LoginInput, z.infer<typeof loginOutput>> {
  return {
    namespace: 'localnet',
    name: 'login',
    title: 'Log a test wallet in to the rollup',
    description:
      'Logs a test wallet in to the rollup of localnet, so that spl.getPrivateBalance and other tools can read its private accounts. The bearer token stays in this server. Call it again when the login has expired.',
    effect: 'local',
    input: loginInput as z.ZodType<LoginInput>,
    output: loginOutput,
    async run({ wallet }) {
      const keypair = wallets.require(wallet);
      const auth = chain.rollup?.auth ?? null;
      if (auth === null)
        throw new ServiceError(
          'AUTH_UNAVAILABLE',
          'The rollup of this localnet does not support logins; read its balances without a token',
        );
      const challenge = await auth.challenge(wallet);
      if (!(await isLoginOf(wallet, challenge, chain, clock))) {
        throw new ServiceError(
          'UPSTREAM_INVALID',
          `The rollup asks ${wallet} to sign a text that is not a current login of this wallet, so it was not signed; check the clock of this machine, and try again`,
        );
      }
      const signature = encodeBase58(keypair.sign(Buffer.from(challenge)));
      const { token } = await auth.login({ owner: wallet, challenge, signature });
      wallets.keepToken(wallet, token);
      return {
        output: { wallet },
        sentences: ['Logged in.', `Private reads for ${wallet} on localnet now use its login.`],
      };
    },
  };
}

const signInput = z.strictObject({
  transactionBase64: transactionText('The unsigned transaction as a tool built it, base64.'),
  sendTo: z
    .enum(['base', 'ephemeral'], {
      error: 'must be "base" or "ephemeral": the sendTo of the built transaction',
    })
    .meta({ description: 'The ledger it was built for: the sendTo of the built transaction.' }),
});

type SignInput = z.infer<typeof signInput>;

/** The subset of `spl.sendTransaction` used here. */
type Send = (sent: {
  readonly transactionBase64: string;
  readonly sendTo: 'base' | 'ephemeral';
  readonly cluster: 'localnet';
  readonly confirm: true;
}) => Promise<{ readonly output: SendOutput }>;

const signOutput = z.object({
  signature: z.string().meta({ description: 'The signature of the transaction, base58.' }),
  sendTo: z.enum(['base', 'ephemeral']).meta({ description: 'The ledger it was sent to.' }),
  outcome: z.enum(['sent', 'confirmed', 'expired']).meta({
    description:
      'confirmed: it landed and succeeded; sent: it has not been seen to land yet; expired: it can no longer land.',
  }),
});

type SendOutput = z.infer<typeof signOutput>;

/**
 * Signs a transaction with the test wallets among its signers, and sends it. Errors: INVALID_TRANSACTION,
 * INVALID_ARGUMENTS if a signer is not a test wallet, POLICY_REFUSED, and the errors of `sendTransaction`.
 *
 * @param check the spending policy; null if there is none.
 */
function createSignAndSend(
  wallets: TestWallets,
  send: Send,
  check: PaymentCheck | null,
): Operation<SignInput, SendOutput> {
  const rule =
    check === null
      ? 'It signs any transaction: if that matters, call spl.explainTransaction first.'
      : 'It signs only what the spending policy of this server allows; a refusal names the rule and what is left.';
  return {
    namespace: 'localnet',
    name: 'signAndSend',
    title: 'Sign with test wallets and send',
    description: `Signs a transaction that another tool built, with the test wallets that are its signers. Sends it to the ledger of localnet it was built for, and waits until it has landed. ${rule}`,
    effect: 'local',
    input: signInput as z.ZodType<SignInput>,
    output: signOutput,
    async run({ transactionBase64, sendTo }, { loggedIn }) {
      const transaction = readTransactionText(transactionBase64);
      const signers = unsignedBy(transaction);
      const missing = signers.filter((signer) => wallets.find(signer) === undefined);
      if (missing.length > 0) {
        throw new ServiceError(
          'INVALID_ARGUMENTS',
          `The transaction needs the signature of ${missing.join(' and ')}, which is not a test wallet of this process: build it for wallets from localnet.createWallet`,
          { field: 'transactionBase64' },
        );
      }
      const signAndSend = (): Promise<{ readonly output: SendOutput }> => {
        const { wire } = signMissing(transaction, (signer) => wallets.find(signer));
        const signed = Buffer.from(wire).toString('base64');
        return send({ transactionBase64: signed, sendTo, cluster: 'localnet', confirm: true });
      };
      const { signature, outcome } =
        check === null || signers.length === 0
          ? (await signAndSend()).output
          : await check(
              { transactionBase64, sendTo, signers, loggedIn },
              async () => (await signAndSend()).output,
            );
      return {
        output: { signature, sendTo, outcome },
        sentences: [
          'Signed and sent the transaction.',
          `Transaction ${signature} is ${outcome} on localnet.`,
        ],
      };
    },
  };
}

const unsignedBy = (transaction: Transaction): Address[] =>
  readSignatures(transaction)
    .filter(({ signature }) => signature !== 'valid')
    .map(({ address: signer }) => signer);
