/** The little of a DOM that is used here. The parser's own types need a browser's, which stay out of this project. */
export interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string;
  readonly parentNode: PageNode | null;
  readonly childNodes: Iterable<PageNode>;
  readonly nextElementSibling?: PageNode | null;
  getAttribute?(name: string): string | null;
  querySelector?(selector: string): PageNode | null;
  querySelectorAll?(selector: string): Iterable<PageNode>;
  remove?(): void;
}

export const ELEMENT = 1;
export const TEXT = 3;

export interface PageDocument extends PageNode {
  readonly title: string;
  readonly body: PageNode | null;
  querySelector(selector: string): PageNode | null;
  querySelectorAll(selector: string): Iterable<PageNode>;
}
