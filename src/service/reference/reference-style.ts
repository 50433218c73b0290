/** The style of the reference page. */
export const REFERENCE_STYLE = `:root {
  color-scheme: light dark;
  --ink: #1c2128;
  --faint: #5b6470;
  --line: #dce1e7;
  --ground: #ffffff;
  --raised: #f5f7f9;
  --accent: #0b5cad;
  --get: #1a7f4b;
  --post: #8a4b08;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e3e8ee;
    --faint: #98a3b0;
    --line: #323a44;
    --ground: #14181d;
    --raised: #1c2229;
    --accent: #6cb2ff;
    --get: #59c98d;
    --post: #e5a663;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif;
}
a { color: var(--accent); }
code, pre, textarea, input, .method { font-family: ui-monospace, Consolas, monospace; font-size: 0.875em; }
nav { padding: 1.5rem; background: var(--raised); border-bottom: 1px solid var(--line); }
nav .name { margin: 0; font-weight: 600; }
nav .group { margin: 1.1rem 0 0.25rem; color: var(--faint); font-size: 0.8rem; font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: flex; padding: 0.15rem 0; color: inherit; font-size: 0.9rem; text-decoration: none; }
nav a:hover { color: var(--accent); }
main { min-width: 0; max-width: 54rem; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.9rem; line-height: 1.2; }
h1 small { color: var(--faint); font-size: 1rem; font-weight: 400; }
h2 { margin: 3rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.4rem; }
h3 { margin: 2rem 0 0.25rem; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 0.25rem; color: var(--faint); font-size: 0.85rem; }
section, [id] { scroll-margin-top: 1rem; }
.line { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
.method { display: inline-block; flex: none; min-width: 2.75rem; font-weight: 700; text-transform: uppercase; }
.method.get { color: var(--get); }
.method.post { color: var(--post); }
.token { margin-left: 0.5rem; color: var(--faint); font-size: 0.85rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.92rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; }
th { width: 14rem; font-weight: 400; overflow-wrap: anywhere; }
.type { color: var(--faint); }
.type::after { content: " \\00b7"; }
.optional { color: var(--faint); font-size: 0.8rem; }
tr:target { background: var(--raised); }
details { margin-top: 1rem; }
summary { color: var(--accent); cursor: pointer; font-size: 0.92rem; }
form { margin-top: 0.75rem; padding: 1rem; border-radius: 6px; background: var(--raised); }
label { display: block; margin-bottom: 0.6rem; font-size: 0.85rem; }
input, textarea {
  display: block;
  width: 100%;
  margin-top: 0.2rem;
  padding: 0.4rem 0.5rem;
  border: 1px solid var(--line);
  border-radius: 4px;
  background: var(--ground);
  color: inherit;
}
button {
  padding: 0.4rem 1rem;
  border: 0;
  border-radius: 4px;
  background: var(--accent);
  color: var(--ground);
  font: inherit;
  cursor: pointer;
}
button.copy {
  margin: 0.25rem 0 0.5rem;
  padding: 0.1rem 0.6rem;
  border: 1px solid var(--line);
  background: var(--raised);
  color: var(--faint);
  font-size: 0.8rem;
}
[hidden] + .copy { display: none; }
.line .copy { margin: 0 0 0 0.5rem; }
pre { margin: 1rem 0 0; max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  nav { max-height: 45vh; padding: 1rem; overflow-y: auto; }
  nav a { padding: 0.5rem 0; }
  main { padding: 1rem; }
  h1 { font-size: 1.5rem; }
  table, tbody, tr, th, td { display: block; width: auto; }
  tr { padding: 0.4rem 0; border-top: 1px solid var(--line); }
  th, td { padding: 0; border: 0; }
  form { padding: 0.75rem; }
  /* Browsers of phones zoom in on fields with smaller letters. */
  input, textarea { font-size: 1rem; }
  button, button.copy, summary { min-height: 2.75rem; }
  summary { padding: 0.6rem 0; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-right: 1px solid var(--line); border-bottom: 0; }
  main { padding: 2rem 3rem 6rem; }
}
`;
