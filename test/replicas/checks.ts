/** A request and its response, as a client saw them. */
export interface Seen {
  /** When the request was sent and when its response arrived, ms. */
  readonly sentMs: number;
  readonly endMs: number;
  /** HTTP status; 0 if the connection failed. */
  readonly status: number;
}

/** A response to a request with an Idempotency-Key. */
export interface KeyedSeen extends Seen {
  readonly key: string;
  /** Whether the body differs from that of the first request with the key. */
  readonly isOther: boolean;
  readonly text: string;
  readonly hasRetryAfter: boolean;
}

/** Returns the keys that were answered with different bodies. */
export function keysAnsweredTwice(seen: readonly KeyedSeen[]): string[] {
  const answers = new Map<string, Set<string>>();
  for (const { key, status, text } of seen) {
    if (status !== 200) continue;
    answers.set(key, (answers.get(key) ?? new Set()).add(text));
  }
  return [...answers].filter(([, texts]) => texts.size > 1).map(([key]) => key);
}

/** Returns the number of keys that were never answered with 200. */
export function keysWithoutAnswer(seen: readonly KeyedSeen[]): number {
  const answered = new Set(seen.filter(({ status }) => status === 200).map(({ key }) => key));
  return new Set(seen.filter(({ key }) => !answered.has(key)).map(({ key }) => key)).size;
}

/** Returns the requests with a known key and another body that were not rejected. */
export function otherBodiesAccepted(seen: readonly KeyedSeen[]): KeyedSeen[] {
  return seen.filter(
    ({ isOther, status, hasRetryAfter }) =>
      isOther && ![0, 409, 422, 429].includes(status) && !(status === 503 && hasRetryAfter),
  );
}

/** A time span, ms. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the requests that were rejected with 503 while the store was available. */
export function rejectedWithoutOutage(seen: readonly KeyedSeen[], outages: readonly Span[]): KeyedSeen[] {
  return seen.filter(
    ({ status, sentMs, endMs }) =>
      status === 503 && !outages.some(({ fromMs, toMs }) => sentMs < toMs && endMs > fromMs),
  );
}

/**
 * Returns the largest number of requests that were certainly admitted within any window. A request counts if
 * it was sent and answered within the window, because it was admitted at an unknown time in between.
 */
export function mostAdmitted(admitted: readonly Seen[], windowMs: number): number {
  const sorted = admitted.toSorted((a, b) => a.sentMs - b.sentMs);
  let most = 0;
  for (const [at, { sentMs }] of sorted.entries()) {
    const untilMs = sentMs + windowMs;
    let count = 0;
    for (let next = at; (sorted[next]?.sentMs ?? Infinity) <= untilMs; next += 1)
      if ((sorted[next]?.endMs ?? Infinity) <= untilMs) count += 1;
    most = Math.max(most, count);
  }
  return most;
}
