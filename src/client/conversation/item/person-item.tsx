import type { Thankful } from '../../../shared/people.ts';
import { useUser } from '../../state/store-provider.tsx';
import { AutorLink, Avatar } from '../../ui/avatar.tsx';
import { readingTexts } from '../reading-texts.ts';

/** A person in a list that belongs to a comment. */
export function PersonItem({ id, name, img }: Thankful) {
  const { id: userId } = useUser();
  return (
    <li className="row">
      <Avatar img={img} size={30} />
      <AutorLink className="plain target" id={id} name={id === userId ? readingTexts.you : name} />
    </li>
  );
}
