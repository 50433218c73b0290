/**
 * What the service answers the page: the one source of these types, for the routes that write the answers and
 * for the page that reads them. Types alone, which import nothing: the page takes no code of the service.
 */

/** Whether requests may come, and why not. */
export interface Readiness {
  readonly isReady: boolean;
  /** As `GET /ready` of its port says it; null when it is ready. */
  readonly reason: string | null;
}

/** Whether requests may come, by ledger; null for one that is not there. */
interface Health {
  readonly base: Readiness | null;
  readonly rollup: Readiness | null;
}

/** A mint that the page may name. */
export interface ShownMint {
  /** base58. */
  readonly mint: string;
  /** Only of mints that the service itself knows: anybody may name a mint. */
  readonly symbol: string | null;
  readonly decimals: number;
  /** base58. */
  readonly tokenProgram: string;
  /** The PDA that owns the deposits, base58. */
  readonly vault: string;
  /** Whether the ledger's faucet can mint it. */
  readonly faucet: boolean;
}

/** The base ledger. */
interface ShownBase {
  /** Null where it does not listen. */
  readonly url: string | null;
  /** Of the programs of private payments; null where the ledger is another's. */
  readonly layout: 'a' | 'b' | null;
  /** Why private payments on base and stealth handles are unavailable; null if they are available. */
  readonly notHere: string | null;
  /** base58; null where the ledger is another's. */
  readonly genesisHash: string | null;
  /** Programs of the base ledger; their addresses in base58. */
  readonly programs: readonly { readonly name: string; readonly address: string }[];
}

/** The rollup on top of it. */
interface ShownRollup {
  readonly kind: 'embedded' | 'external' | 'none';
  /** Null where it must not be shown, and where there is none. */
  readonly url: string | null;
  /** base58. */
  readonly identity: string | null;
  /** Whether it shows what is private to its readers alone. */
  readonly readPermissions: boolean;
}

/**
 * `GET /console/api/state`: what the page has to know of the program before anything else. Everybody who
 * reaches the console may know it: no key, no URL that may carry one, and nothing that a private payment
 * changes.
 */
export interface ConsoleState {
  readonly service: { readonly name: string; readonly version: string };
  /** What requests mean that name none. */
  readonly cluster: string;
  /** Whether requests that name no cluster are for the ledger of this program, whose money is play money. */
  readonly play: boolean;
  readonly base: ShownBase;
  readonly rollup: ShownRollup;
  /** Programs that are the same on every cluster of Solana; their addresses in base58. */
  readonly commonPrograms: readonly { readonly name: string; readonly address: string }[];
  readonly mints: readonly ShownMint[];
  /** Whether requests are listed with their arguments. */
  readonly logArguments: boolean;
  /** The same in words: of the list of calls, of one of them, and of a list of none. */
  readonly callsTold: { readonly list: string; readonly call: string | null; readonly none: string };
  readonly failures: Readonly<Record<string, FailureWords>>;
  readonly health: Health;
  readonly uptimeMs: number;
  /** Of this process, in steps of 16 MiB, so that it tells of no single request. */
  readonly memoryBytes: number;
  readonly workers: number;
  readonly limits: Readonly<Record<string, number>>;
  /** Whether callers may move time and set accounts (the `surfnet_` methods). */
  readonly timeTravel: boolean;
  /** How often the ledgers were brought back to a snapshot; null where none can be taken. */
  readonly returned: number | null;
}

/** A line of the operations view. */
export interface OperationsFact {
  readonly label: string;
  readonly text: string;
  /** How the text is drawn; null as it is. */
  readonly kind: 'ok' | 'bad' | 'dim' | 'mono' | 'address' | null;
}

export interface OperationsPart {
  readonly title: string;
  /** What is to be told before the facts; null for nothing. */
  readonly warning: string | null;
  readonly facts: readonly OperationsFact[];
}

/** `GET /console/api/operations`: the state in words. It tells nothing that the state does not. */
export interface OperationsAnswer {
  readonly cluster: string;
  /** Whether callers may move time. */
  readonly timeTravel: boolean;
  /** Whether snapshots can be taken. */
  readonly snapshots: boolean;
  readonly service: readonly OperationsPart[];
  readonly ledgers: OperationsPart;
  /** What those who may change the ledgers are told before they do. */
  readonly told: {
    readonly time: string;
    readonly reset: string;
    readonly afterReset: string;
    readonly snapshots: string;
    readonly afterReturn: string;
  };
}

/** A snapshot of both ledgers of a localnet. */
export interface ShownSnapshot {
  /** From 1, never used twice. */
  readonly id: number;
  /** When it was taken, Unix ms of the localnet. */
  readonly atMs: number;
  /** Of base. */
  readonly slot: number;
}

/** `GET /console/api/snapshots`: those that are kept, the oldest first. */
export interface SnapshotList {
  readonly snapshots: readonly ShownSnapshot[];
  /** As in the state: it grows once a return is done. */
  readonly returned: number;
}

/** Where a call came in. */
type Door = 'mcp' | 'rest' | 'base' | 'rollup';

/** What is kept of a call. */
export interface CallFacts {
  /** When it was answered, Unix ms. */
  readonly atMs: number;
  readonly door: Door;
  /** The tool, the operation or the JSON-RPC method, by a name of this program; `unknown` for others. */
  readonly call: string;
  /** HTTP status. */
  readonly status: number;
  /** Why it was refused; null when it was not. Of JSON-RPC the number of the error. */
  readonly code: string | null;
  /** How long it took, ms. */
  readonly ms: number;
  /** Null for a call of a batch, whose body is that of several. */
  readonly requestBytes: number | null;
  readonly responseBytes: number;
  /** Null where this program made none. */
  readonly requestId: string | null;
}

/** A call as `GET /console/api/requests` and the event `request` tell it. */
export interface LoggedCall extends CallFacts {
  /** From 1: what is not told has no number. Only calls that are counted in `dropped` leave gaps. */
  readonly seq: number;
  /** Only of calls of the console's own page. */
  readonly own?: true;
  /** Only where the operator has asked for it. */
  readonly arguments?: unknown;
}

/** A failure of an action in words; the state has them by code. */
export interface FailureWords {
  readonly title: string;
  readonly text: string;
  /** What can be done about it by pressing a button. */
  readonly wayOut: 'again' | 'ask-back' | 'log-in' | 'none';
}

/** A part of the list: `GET /console/api/requests`. */
export interface RequestLog {
  /** The oldest first. */
  readonly entries: readonly LoggedCall[];
  /** Calls after the one asked for that have been forgotten. */
  readonly dropped: number;
}

/** A call as somebody may repeat it: `GET /console/api/forms?seq=&origin=`. */
export interface CallForm {
  /** What it is for: `curl`, the client or MCP. */
  readonly name: string;
  readonly text: string;
}

/**
 * How the vault of a mint stands to what is owed. `under-way`: base has not been told enough to say. On
 * layout B that is so as long as anything is delegated, but for a vault with less than can be withdrawn.
 */
export type BookState = 'empty' | 'agree' | 'under-way' | 'disagree';

/** The books of one mint, of `GET /console/api/books`; amounts are base units in decimals. */
export interface MintBook {
  /** base58. */
  readonly mint: string;
  /** Only of mints that the service itself knows. */
  readonly symbol: string | null;
  /** Null where the mint cannot be read. */
  readonly decimals: number | null;
  /** The token account that has the tokens; its amount is null where it cannot be read. */
  readonly vault: { readonly address: string | null; readonly amount: string | null };
  /** To all eATAs, by what base says of them. */
  readonly owed: string;
  /** To those that are delegated, as base was last told. */
  readonly onRollup: string;
  readonly wayBack: string;
  readonly ready: string;
  /** In the vault beyond what is owed. */
  readonly surplus: string;
  readonly state: BookState;
  /** What the vault lacks for certain; null where that is nothing, and where it cannot be read. */
  readonly difference: string | null;
  /** The slot of base that all of it is of. */
  readonly asOfSlot: number;
}

/** The accounts of a wallet for a mint, of `POST /console/api/accounts`; base58. */
export interface TokenAccounts {
  /** The token account on either ledger. */
  readonly ata: string;
  /** What the vault owes the wallet. */
  readonly eata: string;
}

/** A field of an account. */
export interface AccountField {
  /** camelCase and stable. */
  readonly name: string;
  /** In words. */
  readonly label: string;
  /** Null for a field that has no value. */
  readonly value: string | null;
  /** How it is drawn: addresses are base58, amounts base units in decimals, bytes base64. */
  readonly type: 'address' | 'amount' | 'text' | 'bytes';
}

/** An account whose bytes are known. */
interface DecodedAccount {
  /** camelCase and stable. */
  readonly kind: string;
  /** In words. */
  readonly title: string;
  readonly fields: readonly AccountField[];
}

/** Bytes that are not known. */
interface UnknownAccount {
  readonly kind: 'unknown';
  readonly title: string;
  /** How many there are. */
  readonly bytes: number;
}

/** An account of `POST /console/api/decode`. */
export type AccountInWords = DecodedAccount | UnknownAccount;
