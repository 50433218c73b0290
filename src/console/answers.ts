/** Types of the console's responses. The page uses them too, so this file imports nothing. */

/** Whether a node is ready for requests. */
export interface Readiness {
  readonly isReady: boolean;
  /** The reason that `GET /ready` returns at its port; null if it is ready. */
  readonly reason: string | null;
}

/** The readiness of each ledger; null if the ledger does not exist. */
interface Health {
  readonly base: Readiness | null;
  readonly rollup: Readiness | null;
}

/** A mint that the page shows. */
export interface ShownMint {
  /** The mint, base58. */
  readonly mint: string;
  /** The mint's symbol; null for unknown mints, because anyone can name a mint. */
  readonly symbol: string | null;
  readonly decimals: number;
  /** The token program of the mint, base58. */
  readonly tokenProgram: string;
  /** The PDA that owns the deposits, base58. */
  readonly vault: string;
  /** Whether the ledger's faucet can mint it. */
  readonly faucet: boolean;
}

interface ShownBase {
  /** The URL of the node; null if it does not listen on a port. */
  readonly url: string | null;
  /** Layout of the programs of private payments; null if the ledger is not embedded. */
  readonly layout: 'a' | 'b' | null;
  /** The reason why private payments on base and stealth handles are unavailable; null if available. */
  readonly notHere: string | null;
  /** Genesis hash, base58; null if the ledger is not embedded. */
  readonly genesisHash: string | null;
  /** Programs of the base ledger, with base58 addresses. */
  readonly programs: readonly { readonly name: string; readonly address: string }[];
}

interface ShownRollup {
  readonly kind: 'embedded' | 'external' | 'none';
  /** The URL of the rollup; null if there is none or it must not be shown. */
  readonly url: string | null;
  /** The identity of the node, base58. */
  readonly identity: string | null;
  /** Whether the rollup shows private accounts only to their readers. */
  readonly readPermissions: boolean;
}

/**
 * `GET /console/api/state`: the page's initial data. Anyone who can open the console can see it, so it
 * contains no keys, no URLs that may contain keys, and nothing that a private payment changes.
 */
export interface ConsoleState {
  readonly service: { readonly name: string; readonly version: string };
  /** The default cluster of requests. */
  readonly cluster: string;
  /** Whether the default cluster is the embedded ledger, whose tokens have no value. */
  readonly play: boolean;
  readonly base: ShownBase;
  readonly rollup: ShownRollup;
  /** Programs that exist on every Solana cluster, with base58 addresses. */
  readonly commonPrograms: readonly { readonly name: string; readonly address: string }[];
  readonly mints: readonly ShownMint[];
  /** Whether requests are listed with their arguments. */
  readonly logArguments: boolean;
  /** Explanations of this setting for the list of calls, for one call, and for an empty list. */
  readonly callTexts: { readonly list: string; readonly call: string | null; readonly none: string };
  readonly failures: Readonly<Record<string, FailureWords>>;
  readonly health: Health;
  readonly uptimeMs: number;
  /** Memory of this process, rounded to 16 MiB to hide single requests. */
  readonly memoryBytes: number;
  readonly workers: number;
  readonly limits: Readonly<Record<string, number>>;
  /** Whether callers may change the time and set accounts (the `surfnet_` methods). */
  readonly timeTravel: boolean;
  /** Number of restored snapshots; null if snapshots are not available. */
  readonly returned: number | null;
}

/** A line of the operations view. */
export interface OperationsFact {
  readonly label: string;
  readonly text: string;
  /** The style of the text; null for plain text. `sol` is a decimal number of lamports. */
  readonly kind: 'ok' | 'bad' | 'dim' | 'mono' | 'address' | 'url' | 'sol' | null;
}

export interface OperationsPart {
  readonly title: string;
  /** A warning above the facts; null if there is none. */
  readonly warning: string | null;
  readonly facts: readonly OperationsFact[];
}

/** `GET /console/api/operations`: the state as text. */
export interface OperationsAnswer {
  readonly cluster: string;
  /** Whether callers may change the time. */
  readonly timeTravel: boolean;
  /** Whether snapshots can be taken. */
  readonly snapshots: boolean;
  readonly service: readonly OperationsPart[];
  readonly ledgers: OperationsPart;
  /** Notes for users before they change the ledgers. */
  readonly texts: {
    readonly time: string;
    readonly reset: string;
    readonly afterReset: string;
    readonly snapshots: string;
    readonly afterReturn: string;
  };
}

/** A snapshot of both ledgers of a localnet. */
export interface ShownSnapshot {
  /** Id of the snapshot, from 1; never reused. */
  readonly id: number;
  /** Time of the snapshot by the localnet's clock, Unix ms. */
  readonly atMs: number;
  /** The slot of the base ledger. */
  readonly slot: number;
}

/** `GET /console/api/snapshots`: the stored snapshots, oldest first. */
export interface SnapshotList {
  readonly snapshots: readonly ShownSnapshot[];
  /** Number of restored snapshots, like `returned` in {@link ConsoleState}. */
  readonly returned: number;
}

type Door = 'mcp' | 'rest' | 'base' | 'rollup';

/** The stored facts of a call. */
export interface CallFacts {
  /** Time of the response, Unix ms. */
  readonly atMs: number;
  readonly door: Door;
  /** The tool, operation or JSON-RPC method; `unknown` if it does not exist. */
  readonly call: string;
  /** HTTP status. */
  readonly status: number;
  /** Code of the error (for JSON-RPC its number); null if the call succeeded. */
  readonly code: string | null;
  /** Duration, in ms. */
  readonly ms: number;
  /** Size of the request; null for a call in a batch. */
  readonly requestBytes: number | null;
  readonly responseBytes: number;
  /** Id of the request; null if this program did not create it. */
  readonly requestId: string | null;
}

/** A call in `GET /console/api/requests` and in the event `request`. */
export interface LoggedCall extends CallFacts {
  /** Number of the call, from 1. Unlisted calls have no number. Only calls in `dropped` leave gaps. */
  readonly seq: number;
  /** Whether the call is from the console's own page. */
  readonly own?: true;
  /** The arguments, if the operator has enabled them. */
  readonly arguments?: unknown;
}

/** Text for a failed action. The state maps error codes to these texts. */
export interface FailureWords {
  readonly title: string;
  readonly text: string;
  /** The next action that the page offers. */
  readonly wayOut: 'again' | 'undelegate' | 'log-in' | 'none';
}

/** `GET /console/api/requests`: the listed calls. */
export interface RequestLog {
  /** The calls, oldest first. */
  readonly entries: readonly LoggedCall[];
  /** Number of requested calls that were dropped. */
  readonly dropped: number;
}

/** A call in a form that can be repeated, from `GET /console/api/forms?seq=&origin=`. */
export interface CallForm {
  /** The name of the form: `curl`, `Client` or `MCP`. */
  readonly name: string;
  readonly text: string;
}

/**
 * The vault of a mint compared with the claims on it. `under-way`: base does not show enough yet. On layout B
 * this is always the state while an eATA is delegated, unless the vault has less than can be withdrawn.
 */
export type BookState = 'empty' | 'agree' | 'under-way' | 'disagree';

/** The books of one mint in `GET /console/api/books`; amounts are base units as decimal strings. */
export interface MintBook {
  /** The mint, base58. */
  readonly mint: string;
  /** The mint's symbol; null if the service does not know the mint. */
  readonly symbol: string | null;
  /** The mint's decimals; null if the mint cannot be read. */
  readonly decimals: number | null;
  /** The token account with the tokens; its amount is null if it cannot be read. */
  readonly vault: { readonly address: string | null; readonly amount: string | null };
  /** Claims of all eATAs on the base ledger. */
  readonly owed: string;
  /** Claims of delegated eATAs, as of the last commit to base. */
  readonly onRollup: string;
  readonly wayBack: string;
  readonly ready: string;
  /** Tokens in the vault beyond the claims. */
  readonly surplus: string;
  readonly state: BookState;
  /** Tokens that the vault certainly lacks; null if it lacks none, or if the vault cannot be read. */
  readonly difference: string | null;
  /** The base slot of these figures. */
  readonly asOfSlot: number;
}

/** The accounts of a wallet for a mint in `POST /console/api/accounts`; base58. */
export interface TokenAccounts {
  /** The token account, on both ledgers. */
  readonly ata: string;
  /** The ephemeral token account. */
  readonly eata: string;
}

/** A field of an account. */
export interface AccountField {
  /** Name of the field, camelCase and stable. */
  readonly name: string;
  readonly label: string;
  /** The value; null for a field without a value. */
  readonly value: string | null;
  /** Addresses are base58, amounts base units as decimal strings, bytes base64. */
  readonly type: 'address' | 'amount' | 'text' | 'bytes';
}

/** An account that could be decoded. */
interface DecodedAccount {
  /** Kind of the account, camelCase and stable. */
  readonly kind: string;
  readonly title: string;
  readonly fields: readonly AccountField[];
}

/** An account that could not be decoded. */
interface UnknownAccount {
  readonly kind: 'unknown';
  readonly title: string;
  /** Size of the account's data, in bytes. */
  readonly bytes: number;
}

/** An account in the response of `POST /console/api/decode`. */
export type AccountInWords = DecodedAccount | UnknownAccount;
