import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';

/** How elements are named: by their mark in the newest snapshot. */
export const refInput = z
  .string()
  .regex(/^(?:f\d+)?e\d+$/)
  .describe('as in the snapshot, such as e12');

/** Whom something is sent to: the gate has to know before it happens. */
export const hostInput = z.string().min(1).describe('host of the open page, as the snapshot tells it');

export const elementOf = (page: Page, ref: string): Locator => page.locator(`aria-ref=${ref}`);

/** Told when a reference no longer leads anywhere. */
export const STALE = 'There is no such element now. Take a new browser_snapshot.';
