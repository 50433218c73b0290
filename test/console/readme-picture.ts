import type { Page } from 'playwright-core';

/**
 * Script that converts the page to a self-contained SVG with all of its elements and styles. An SVG is text,
 * which suits the repository. The script is a string, because this project's types have no DOM.
 */
const AS_SVG = `(() => {
  const { scrollWidth: width, scrollHeight: height, dataset } = document.documentElement;
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
  // The markup does not contain the state of inputs.
  for (const each of document.querySelectorAll('input')) each.toggleAttribute('checked', each.checked);
  const body = document.body.cloneNode(true);
  for (const each of body.querySelectorAll('script, select, .vh')) each.remove();
  for (const link of body.querySelectorAll('[href]')) link.removeAttribute('href');
  const text = new XMLSerializer().serializeToString(body);
  const style = rules.join('\\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return '<svg xmlns="http://www.w3.org/2000/svg" width="' + width + '" height="' + height +
    '" viewBox="0 0 ' + width + ' ' + height + '" data-as="' + (dataset.as ?? '') + '">' +
    '<style>' + style + '</style><foreignObject width="100%" height="100%">' + text + '</foreignObject></svg>\\n';
})()`;

/** Converts the current page to an SVG. */
export const svgOf = (page: Page): Promise<string> => page.evaluate<string>(AS_SVG);

/** Returns the texts of the payment's steps in an SVG, in order. */
export const stepsIn = (svg: string): string[] =>
  [...svg.matchAll(/<b>(\d\. [^<]+)<\/b>/g)].map(([, words = '']) => words);
