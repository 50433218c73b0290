import type { KeyPairSigner } from '@solana/kit';

/** Who pays whom, and where. */
export interface Place {
  /** URL of the tool service, which has the facilitator. */
  readonly serviceUrl: string;
  /** URL of the ledger on which the payments land. */
  readonly rpcUrl: string;
  /** The same URL with the merchant's token; without one unless the ledger needs it. */
  readonly merchantRpcUrl: string;
  readonly payer: KeyPairSigner;
  /** A wallet with SOL for servers that pay the fees themselves. */
  readonly sponsor: KeyPairSigner;
  readonly merchant: string;
  readonly mint: string;
  /** Base units, decimal. */
  readonly price: string;
  /** Whether the merchant accepts only private settlement. */
  readonly isPrivate: boolean;
}

/** The response to a paid request. */
export interface PaidAnswer {
  readonly status: number;
  /** The payment's transaction; undefined if the merchant does not report one. */
  readonly signature: string | undefined;
  readonly text: string;
}

/** A merchant on stock packages, and a client on stock packages that pays it. */
export interface Shop {
  /** The address that pays the network fees. */
  readonly feePayer: string;
  /** Requests the paid resource. The client pays without being told how. */
  pay(): Promise<PaidAnswer>;
  /** Presents the last payment a second time. Returns why it is refused, or `settled`. */
  payAgain(): Promise<string>;
  close(): Promise<void>;
}

/** A protocol for paying with HTTP requests. */
export interface Protocol {
  readonly name: string;
  open(place: Place): Promise<Shop>;
}

/** The modules with the protocols. Each exports `protocols`. */
const MODULES = ['x402.mjs', 'mpp.mjs'];

/** Loads every protocol. Their packages must be installed in `clients`. */
export async function loadProtocols(): Promise<readonly Protocol[]> {
  const modules = await Promise.all(
    MODULES.map((file) => import(new URL(file, import.meta.url).href) as Promise<{ protocols: Protocol[] }>),
  );
  return modules.flatMap(({ protocols }) => protocols);
}
