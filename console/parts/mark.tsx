/** The logo. */
export function Mark() {
  return (
    <svg
      width="22"
      height="22"
      viewBox="0 0 22 22"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      aria-hidden="true"
    >
      <rect x="1.5" y="1.5" width="19" height="19" rx="5" />
      <path d="M11 1.5v19" />
      <path d="M13 6l4-3M13 11l7-5M13 16l7-5M15 19l5-3.6" stroke-width="1.2" />
    </svg>
  );
}
