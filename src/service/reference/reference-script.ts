/**
 * The script of the reference page. It sends the forms under "Try it", shows the responses, and adds a copy
 * button after elements with `data-copy`. Browsers allow the clipboard only for https and loopback pages;
 * elsewhere the button selects the text.
 */
export const REFERENCE_SCRIPT = `'use strict';

async function send(form) {
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll('input')) {
    if (input.value === '') continue;
    if ('token' in input.dataset) headers.authorization = 'Bearer ' + input.value;
    else query.append(input.name, input.value);
  }
  const body = form.querySelector('textarea')?.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const search = query.size > 0 ? '?' + query : '';
  const answer = await fetch(form.dataset.path + search, { method: form.dataset.method, headers, body });
  return answer.status + ' ' + answer.statusText + '\\n\\n' + indent(await answer.text());
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

async function copy(source, button) {
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000);
}

for (const source of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(source, button));
  source.after(button);
}

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const output = event.target.querySelector('pre');
  output.hidden = false;
  output.textContent = '...';
  output.textContent = await send(event.target).catch((error) => String(error));
});
`;
