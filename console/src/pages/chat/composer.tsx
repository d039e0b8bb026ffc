import type { ChatSnapshot, SentImage } from '#spec/api';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useText } from '../../domains/language/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/states.tsx';
import { draftOf, keepDraft } from './drafts.ts';
import { addressOf, MOST_IMAGES, readImages } from './read-images.ts';
import { recall } from './recall.ts';
import { SlashMenu, useSlashMenu } from './slash-menu.tsx';
import { chatText } from './text.ts';
import type { Say } from './use-say.ts';

/** Where messages, commands and additions are written. What is not sent stays until one comes back. */
export function Composer(props: {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly say: Say;
  /** Known before its state is. */
  readonly session: string | undefined;
  readonly state: ChatSnapshot | undefined;
  readonly disabled: boolean;
}) {
  const { input, say, session, state, disabled } = props;
  const text = useText(chatText);
  const id = useId();
  const [value, setValue] = useState(() => draftOf(session));
  const [images, setImages] = useState<readonly SentImage[]>([]);
  const [isTooLarge, setTooLarge] = useState(false);
  const place = useRef<number>(undefined);
  const menu = useSlashMenu(value);
  const running = state?.status.running !== undefined;
  const said = state?.items.flatMap((item) => (item.kind === 'user' && item.text ? [item.text] : [])) ?? [];
  useGrowing(input, value);

  const write = (next: string): void => {
    keepDraft(session, next);
    setValue(next);
  };
  const send = (): void => {
    const words = value.trim();
    if ((!words && !images.length) || say.busy || disabled) return;
    place.current = undefined;
    say.send(value, images).then(
      () => {
        if (draftOf(session) === value) keepDraft(session, '');
        setValue((now) => (now === value ? '' : now));
        setImages([]);
      },
      // It stays where it was written; what went wrong stands below.
      () => undefined,
    );
  };
  const take = async (files: readonly File[]): Promise<void> => {
    const read = await readImages(files, MOST_IMAGES - images.length);
    setTooLarge(read.refused);
    setImages((before) => [...before, ...read.images]);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'));
    if (!files.length) return;
    event.preventDefault();
    void take(files);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter that ends the input of a Chinese word is no Enter.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (menu.onKey(event, write)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      // Out of the field, where keys are shortcuts.
      if (running) say.stop();
      else event.currentTarget.blur();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const { selectionStart, selectionEnd } = event.currentTarget;
      const moved = recall({
        said,
        place: place.current,
        value,
        key: event.key,
        selectionStart,
        selectionEnd,
      });
      if (!moved) return;
      event.preventDefault();
      place.current = moved.place;
      write(moved.text);
    }
  };
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {menu.shown.length ? <SlashMenu menu={menu} id={`${id}-menu`} onChoose={write} /> : null}
      {images.length ? (
        <div className="row">
          {images.map((image, index) => (
            // Pictures of one size begin alike: only their place tells them apart.
            <span key={index} className="chat-attached">
              <img className="chat-thumbnail" src={addressOf(image)} alt={text.picture(index + 1)} />
              <Button
                small
                look="plain"
                aria-label={text.removeImage(index + 1)}
                onClick={() => setImages(images.filter((each) => each !== image))}
              >
                ✕
              </Button>
            </span>
          ))}
        </div>
      ) : null}
      <div className="chat-write">
        <textarea
          ref={input}
          className="input"
          rows={1}
          aria-label={text.message}
          aria-autocomplete="list"
          aria-controls={menu.shown.length ? `${id}-menu` : undefined}
          aria-activedescendant={menu.shown.length ? `${id}-menu-${menu.at}` : undefined}
          placeholder={running ? text.steerPlaceholder : text.placeholder}
          title={text.keys}
          value={value}
          disabled={disabled}
          onChange={(event) => {
            place.current = undefined;
            write(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <label className="button plain chat-attach" title={text.attach}>
          <input
            type="file"
            className="chat-hidden"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            aria-label={text.attach}
            disabled={disabled}
            onChange={(event) => {
              void take([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
          <span aria-hidden="true">＋</span>
        </label>
        {running ? (
          <Button look="danger" onClick={say.stop}>
            {text.stop}
          </Button>
        ) : null}
        <Button
          look="primary"
          type="submit"
          busy={say.busy}
          disabled={disabled || (!value.trim() && !images.length)}
        >
          {running ? text.add : text.send}
        </Button>
      </div>
      {isTooLarge ? <div className="notice warn">{text.tooLarge}</div> : null}
      <Refused error={say.error} />
    </form>
  );
}

/** As high as what is written in it, up to a third of the window. */
function useGrowing(input: RefObject<HTMLTextAreaElement | null>, value: string): void {
  useLayoutEffect(() => {
    const area = input.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, innerHeight / 3)}px`;
  }, [input, value]);
}
