/** Evidence by its id: it leads to the card that shows it. */
function EvidenceLink({ id }: { readonly id: string }) {
  return (
    <a className="badge mono" href={`#${encodeURIComponent(id)}`} onClick={() => openCard(id)}>
      {id.replace(/^ev_/, '')}
    </a>
  );
}

/** The card may be folded away. */
function openCard(id: string): void {
  const folded = document.getElementById(id)?.closest('details');
  if (folded) folded.open = true;
}

export function EvidenceLinks({ ids, none }: { readonly ids: readonly string[]; readonly none: string }) {
  return ids.length ? (
    <span className="row tight">
      {ids.map((id) => (
        <EvidenceLink key={id} id={id} />
      ))}
    </span>
  ) : (
    <span className="muted">{none}</span>
  );
}
