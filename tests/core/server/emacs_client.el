;;; Runs Eglot against a language server, and prints what it shows, as JSON.  -*- lexical-binding: t -*-
;;
;;     EVENHAND_COMMAND='["program", "lsp"]' emacs --batch -l emacs_client.el FILE
(require 'json)
(require 'eglot)
(defvar patience 120 "Seconds.")
(defvar seen nil)

(defun marked ()
  "The words that are underlined, in order."
  (mapcar (lambda (one) (buffer-substring-no-properties (overlay-start one) (overlay-end one)))
          (sort (seq-filter (lambda (one) (overlay-get one 'flymake-diagnostic))
                            (overlays-in (point-min) (point-max)))
                (lambda (one other) (< (overlay-start one) (overlay-start other))))))

(defun wait-for (condition)
  "Let processes and timers run until CONDITION holds."
  (let ((end (time-add nil patience)))
    (while (and (not (funcall condition)) (time-less-p nil end))
      (accept-process-output nil 0.05))))

(defun wait-until-marked (words)
  "Wait until just WORDS are marked; return what is."
  (wait-for (lambda () (equal (marked) words)))
  (marked))

(defun note (name words)
  "Remember WORDS as what was seen at the step NAME."
  (push (cons name (vconcat words)) seen))

(defun go-to (word)
  "Put point on WORD where it stands last; return its end."
  (goto-char (point-max))
  (search-backward word)
  (match-end 0))

(setq eglot-sync-connect patience
      eglot-confirm-server-initiated-edits nil)
(find-file (pop command-line-args-left))
(text-mode)
(eglot '(text-mode) (cons 'transient default-directory) 'eglot-lsp-server
       (append (json-parse-string (getenv "EVENHAND_COMMAND") :array-type 'list) nil) "plaintext")
(defvar server (eglot-current-server))
(flymake-start)
(note 'opened (wait-until-marked '("chairman" "reveals" "shameful" "disastrous")))

(let* ((end (go-to "shameful"))
       (hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))
       (actions (append (eglot-code-actions (point) end) nil))
       (first (seq-find (lambda (one) (equal (plist-get one :kind) "quickfix")) actions)))
  (note 'hover (list (plist-get (plist-get hover :contents) :value)))
  (note 'actions (mapcar (lambda (one) (plist-get one :title)) actions))
  (unless (plist-get first :edit)
    (setq first (jsonrpc-request server :codeAction/resolve first)))
  (eglot--apply-workspace-edit (plist-get first :edit))
  (go-to "law")
  (note 'edited (list (buffer-substring-no-properties (line-beginning-position) (line-end-position)))))
(eglot--signal-textDocument/didChange)
(note 'accepted (wait-until-marked '("chairman" "reveals" "disastrous")))

(let ((end (go-to "chairman")))
  (delete-region (point) end)
  (insert "chair 😀"))
(eglot--signal-textDocument/didChange)
(note 'typed (wait-until-marked '("reveals" "disastrous")))

(eglot-shutdown server)
(wait-for (lambda () (not (jsonrpc-running-p server))))
(note 'stopped (list (if (jsonrpc-running-p server) "false" "true")))
(set-buffer-modified-p nil)
(princ (json-encode seen))
