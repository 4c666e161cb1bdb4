import type { Comment } from '../../../shared/comments.ts';
import type { MenuAction, OpenMenu } from '../../ui/action-list.tsx';
import { ActionList, listId, MenuButton } from '../../ui/action-menu.tsx';
import { texts } from '../../ui/texts.ts';
import { aboutComment } from './about-comment.ts';
import styles from './comment-tools.module.css';

/** The menu that is open in a list of comments. Only one can be. */
export interface OpenCommentMenu extends OpenMenu {
  /** Number of the comment. */
  number: number;
}

interface CommentMenuProps {
  comment: Comment;
  /** Null while the menu of this comment is closed. */
  menu: OpenCommentMenu | null;
  /** Opens a menu in the list of comments, or closes it. */
  onMenu: (menu: OpenCommentMenu | null) => void;
  /** Called when the menu opens. */
  actions: () => MenuAction[];
}

/** The menu of a comment. The list of comments holds which one is open, so that a closed one is only a button. */
export function CommentMenu({ comment, menu, onMenu, actions }: CommentMenuProps) {
  const { number } = comment;
  const label = aboutComment(texts.moreActions, comment);
  const close = () => onMenu(null);
  return (
    <>
      <MenuButton
        label={label}
        className={styles.tool}
        isOpen={menu !== null}
        onOpen={(opener) => onMenu({ number, opener, actions: actions() })}
        onClose={close}
      />
      {menu && <ActionList id={listId} label={label} {...menu} onClose={close} />}
    </>
  );
}
