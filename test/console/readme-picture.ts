import type { Page } from 'playwright-core';

/**
 * What the page shows as an SVG that needs nothing else: its elements with all of its styles. Text, so that the repository
 * holds no picture made of pixels. A string, as this project's scripts know no DOM.
 */
const AS_SVG = `(() => {
  const { scrollWidth: width, scrollHeight: height, dataset } = document.documentElement;
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText));
  // What is chosen is no part of the markup.
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

/** The page as it is, as the text of an SVG. */
export const svgOf = (page: Page): Promise<string> => page.evaluate<string>(AS_SVG);

/** The words of the steps of a payment in such a picture, in their order. */
export const stepsIn = (svg: string): string[] =>
  [...svg.matchAll(/<b>(\d\. [^<]+)<\/b>/g)].map(([, words = '']) => words);
