import type {
  CreateStealthPoolInput,
  DepositInput,
  ExplainTransactionInput,
  ExplainTransactionOutput,
  InitializeMintInput,
  TransferInput,
  UndelegateInput,
  WithdrawInput,
} from '../../src/client/generated.ts';
import type { PrivatePayments } from '../../src/client/private-payments.ts';

/** A request to the service for a transaction. */
export type PaymentRequest =
  | { readonly operation: 'deposit'; readonly arguments: DepositInput }
  | { readonly operation: 'transfer'; readonly arguments: TransferInput }
  | { readonly operation: 'undelegate'; readonly arguments: UndelegateInput }
  | { readonly operation: 'withdraw'; readonly arguments: WithdrawInput }
  | { readonly operation: 'initializeMint'; readonly arguments: InitializeMintInput }
  | {
      readonly operation: 'createStealthPool';
      readonly arguments: CreateStealthPoolInput;
      /** Selects one of its two transactions: the pool on base, or its destinations on the rollup. */
      readonly part: 'pool' | 'wallets';
    };

/** The ledger a transaction goes to. */
export type SendTo = 'base' | 'ephemeral';

/** A built and explained transaction for review before signing. */
export interface Proposal {
  /** The wallet that signs. */
  readonly wallet: string;
  readonly request: PaymentRequest;
  /** The unsigned transaction, base64. */
  readonly transactionBase64: string;
  readonly sendTo: SendTo;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
  readonly explanation: ExplainTransactionOutput;
  /** Whether the proposal was built with the wallet's token. If so, only the owner may see it. */
  readonly isOwners: boolean;
}

/** The service's API and the tokens to call it with. */
export interface PaymentPorts {
  readonly api: PrivatePayments;
  tokenOf(wallet: string): string | null;
}

/**
 * Builds the transaction of a request and explains it against the request.
 *
 * @throws {PaymentsError} if the service rejects the request.
 */
export async function propose(
  ports: PaymentPorts,
  wallet: string,
  request: PaymentRequest,
): Promise<Proposal> {
  const options = optionsOf(ports, wallet);
  const built = await build(ports.api, request, options);
  const { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight } = built;
  const isOwners = options.token !== undefined;
  const bytes = { transactionBase64, sendTo, recentBlockhash, lastValidBlockHeight };
  const proposal = { wallet, request, ...bytes, isOwners };
  return { ...proposal, explanation: await explain(ports, proposal) };
}

/**
 * Explains a proposal again. Required right before each signature, because accounts may have changed.
 *
 * @throws {PaymentsError} if the service rejects the request.
 */
export const explainAgain = async (ports: PaymentPorts, proposal: Proposal): Promise<Proposal> => ({
  ...proposal,
  explanation: await explain(ports, proposal),
});

function explain(
  ports: PaymentPorts,
  { wallet, request, transactionBase64, sendTo, recentBlockhash }: Omit<Proposal, 'explanation'>,
): Promise<ExplainTransactionOutput> {
  return ports.api.explainTransaction(
    { transactionBase64, sendTo, wallet, request: requestOf(request, recentBlockhash) },
    optionsOf(ports, wallet),
  );
}

/** Converts a request for `spl.explainTransaction`: amounts become decimal strings. */
export function requestOf(
  { operation, arguments: args }: PaymentRequest,
  recentBlockhash: string,
): NonNullable<ExplainTransactionInput['request']> {
  const entries = Object.entries(args).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'bigint' ? value.toString() : value,
  ]);
  return { operation, arguments: Object.fromEntries(entries) as Record<string, unknown>, recentBlockhash };
}

async function build(api: PrivatePayments, request: PaymentRequest, options: { readonly token?: string }) {
  if (request.operation === 'createStealthPool') {
    const built = await api.createStealthPool(request.arguments, options);
    return request.part === 'pool' ? built.setupTransaction : built;
  }
  // `PaymentRequest` pairs each operation with its arguments.
  const call = api[request.operation] as (
    args: object,
    own: object,
  ) => ReturnType<PrivatePayments['deposit']>;
  return await call(request.arguments, options);
}

function optionsOf(ports: PaymentPorts, wallet: string): { readonly token?: string } {
  const token = ports.tokenOf(wallet);
  return token === null ? {} : { token };
}
