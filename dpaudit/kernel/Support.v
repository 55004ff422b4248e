(* The language of dpaudit's certificates in Coq: what its functions mean, and the small facts that proofs use.

   Nothing here is an axiom. The statements of certificates read only the first part, "Meaning". *)
Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From Flocq Require Import Core.Raux.
From Interval Require Import Tactic Float.Specific_ops Float.Specific_stdz.
Open Scope R_scope.

(* Interval arithmetic with the integers of Coq's own library: with the machine's integers it would rest on more axioms
   than those of the real numbers. *)
Module Whole := SpecificFloat StdZRadix2.
Module Enclosures := IntervalTactic Whole.
Export Enclosures.

(* Meaning ------------------------------------------------------------------------------------------------------- *)

(* x to the power y for x >= 0; statements suppose 0 < x, or x = 0 <= y. *)
Definition pw (x y : R) : R := if Req_EM_T x 0 then (if Req_EM_T y 0 then 1 else 0) else exp (y * ln x).
Definition log2 (x : R) : R := ln x / ln 2.
Definition floorR (x : R) : R := IZR (Zfloor x).
Definition ceilR (x : R) : R := IZR (Zceil x).
Definition factZ (n : Z) : R := INR (fact (Z.to_nat n)).

(* A real vector space with a symmetric form that is linear and not negative; its dimension is left open. *)
Record space : Type := Space {
  carrier :> Type;
  vzero : carrier;
  vadd : carrier -> carrier -> carrier;
  vscal : R -> carrier -> carrier;
  dot : carrier -> carrier -> R;
  dot_sym : forall u v, dot u v = dot v u;
  dot_zero : forall v, dot vzero v = 0;
  dot_add : forall u v w, dot (vadd u v) w = dot u w + dot v w;
  dot_scal : forall c u v, dot (vscal c u) v = c * dot u v;
  dot_pos : forall v, 0 <= dot v v
}.
Arguments vzero {s}.
Arguments vadd {s}.
Arguments vscal {s}.
Arguments dot {s}.
Definition vneg {s : space} (u : s) : s := vscal (-1) u.
Definition vsub {s : space} (u v : s) : s := vadd u (vneg v).
Definition norm {s : space} (u : s) : R := sqrt (dot u u).

(* f a + ... + f b, 0 for b < a *)
Fixpoint sum_from (a : Z) (n : nat) (f : Z -> R) : R :=
  match n with O => 0 | S m => sum_from a m f + f (a + Z.of_nat m)%Z end.
Definition zsum (a b : Z) (f : Z -> R) : R := sum_from a (Z.to_nat (b - a + 1)) f.

(* Order --------------------------------------------------------------------------------------------------------- *)

Lemma slack_le : forall a b : R, 0 <= b - a -> a <= b. Proof. intros; lra. Qed.
Lemma slack_lt : forall a b : R, 0 < b - a -> a < b. Proof. intros; lra. Qed.
Lemma slack_eq : forall a b : R, b - a = 0 -> a = b. Proof. intros; lra. Qed.
Lemma le_slack : forall a b : R, a <= b -> 0 <= b - a. Proof. intros; lra. Qed.
Lemma lt_slack : forall a b : R, a < b -> 0 < b - a. Proof. intros; lra. Qed.
Lemma eq_slack : forall a b : R, a = b -> b - a = 0. Proof. intros; lra. Qed.
Lemma sides_le : forall a b c d : R, a = b -> c = d -> b <= d -> a <= c. Proof. intros; subst; assumption. Qed.
Lemma sides_lt : forall a b c d : R, a = b -> c = d -> b < d -> a < c. Proof. intros; subst; assumption. Qed.
Lemma sides_eq : forall a b c d : R, a = b -> c = d -> b = d -> a = c. Proof. intros; subst; reflexivity. Qed.
Lemma ne_of_pos : forall a : R, 0 < a -> a <> 0. Proof. intros; lra. Qed.
Lemma ne_of_neg : forall a : R, 0 < - a -> a <> 0. Proof. intros; lra. Qed.
Lemma le_of_eq : forall a b : R, a = b -> a <= b. Proof. intros; lra. Qed.
Lemma from_low : forall a x : R, 0 <= a -> a <= x -> 0 <= x. Proof. intros; lra. Qed.
Lemma from_low_open : forall a x : R, 0 <= a -> a < x -> 0 < x. Proof. intros; lra. Qed.
Lemma from_low_up : forall a x : R, 0 < a -> a <= x -> 0 < x. Proof. intros; lra. Qed.

Lemma scale_le : forall c a b : R, 0 < c -> c * a <= c * b -> a <= b.
Proof. intros c a b H K. apply Rmult_le_reg_l with c; assumption. Qed.
Lemma scale_lt : forall c a b : R, 0 < c -> c * a < c * b -> a < b.
Proof. intros c a b H K. apply Rmult_lt_reg_l with c; assumption. Qed.
Lemma scale_eq : forall c a b : R, 0 < c -> c * a = c * b -> a = b.
Proof. intros c a b H K. apply Rmult_eq_reg_l with c; [assumption | lra]. Qed.
Lemma shift_le : forall c a b : R, c + a <= c + b -> a <= b. Proof. intros; lra. Qed.
Lemma shift_lt : forall c a b : R, c + a < c + b -> a < b. Proof. intros; lra. Qed.
Lemma shift_eq : forall c a b : R, c + a = c + b -> a = b. Proof. intros; lra. Qed.
Lemma subtract_le : forall a b c d : R, c <= d -> a - c <= b - d -> a <= b. Proof. intros; lra. Qed.
Lemma subtract_lt : forall a b c d : R, c <= d -> a - c < b - d -> a < b. Proof. intros; lra. Qed.
Lemma subtract_eq : forall a b c d : R, c = d -> a - c = b - d -> a = b. Proof. intros; lra. Qed.
Lemma combined_le : forall t a b s : R, 0 < t -> 0 <= s -> t * (b - a) = s -> a <= b.
Proof. intros t a b s T S E. apply slack_le. apply scale_le with t; [assumption | lra]. Qed.
Lemma combined_lt : forall t a b s : R, 0 < t -> 0 < s -> t * (b - a) = s -> a < b.
Proof. intros t a b s T S E. apply slack_lt. apply scale_lt with t; [assumption | lra]. Qed.
Lemma combined_eq : forall t a b s : R, 0 < t -> s = 0 -> t * (b - a) = s -> a = b.
Proof. intros t a b s T S E. apply slack_eq. apply scale_eq with t; [assumption | lra]. Qed.
Lemma zero_l : forall a b : R, a = 0 -> a * b = 0. Proof. intros; subst; ring. Qed.
Lemma zero_r : forall a b : R, b = 0 -> a * b = 0. Proof. intros; subst; ring. Qed.
Lemma zero_plus : forall a b : R, a = 0 -> b = 0 -> a + b = 0. Proof. intros; lra. Qed.
Lemma nonneg_by : forall d t s : R, 0 < d -> 0 <= s -> d * t = s -> 0 <= t.
Proof. intros d t s D S E. apply scale_le with d; [assumption | lra]. Qed.
Lemma pos_by : forall d t s : R, 0 < d -> 0 < s -> d * t = s -> 0 < t.
Proof. intros d t s D S E. apply scale_lt with d; [assumption | lra]. Qed.
Lemma ln_le_back : forall a b : R, 0 < a -> 0 < b -> ln a <= ln b -> a <= b.
Proof. intros a b A B [H|H]; [left; apply ln_lt_inv | right; apply ln_inv]; assumption. Qed.
Lemma ln_eq_back : forall a b : R, 0 < a -> 0 < b -> ln a = ln b -> a = b. Proof. exact ln_inv. Qed.
Lemma ln_le_mono : forall a b : R, 0 < a -> a <= b -> ln a <= ln b.
Proof. intros a b A [H|H]; [left; apply ln_increasing; assumption | rewrite H; apply Rle_refl]. Qed.

(* Signs --------------------------------------------------------------------------------------------------------- *)

Lemma mul_pos : forall a b : R, 0 < a -> 0 < b -> 0 < a * b. Proof. exact Rmult_lt_0_compat. Qed.
Lemma mul_nonneg : forall a b : R, 0 <= a -> 0 <= b -> 0 <= a * b. Proof. exact Rmult_le_pos. Qed.
Lemma div_pos : forall a b : R, 0 < a -> 0 < b -> 0 < a / b. Proof. exact Rdiv_lt_0_compat. Qed.
Lemma inv_pos : forall a : R, 0 < a -> 0 < / a. Proof. exact Rinv_0_lt_compat. Qed.
Lemma inv_nonneg : forall a : R, 0 <= a -> 0 <= / a.
Proof. intros a [H|H]; [left; apply Rinv_0_lt_compat; assumption | subst; rewrite Rinv_0; apply Rle_refl]. Qed.
Lemma div_nonneg : forall a b : R, 0 <= a -> 0 <= b -> 0 <= a / b.
Proof. intros. apply mul_nonneg; [|apply inv_nonneg]; assumption. Qed.
Lemma add_pos_l : forall a b : R, 0 < a -> 0 <= b -> 0 < a + b. Proof. intros; lra. Qed.
Lemma add_pos_r : forall a b : R, 0 <= a -> 0 < b -> 0 < a + b. Proof. intros; lra. Qed.
Lemma add_nonneg : forall a b : R, 0 <= a -> 0 <= b -> 0 <= a + b. Proof. intros; lra. Qed.
Lemma power_pos : forall a n, 0 < a -> 0 < a ^ n. Proof. intros; apply pow_lt; assumption. Qed.
Lemma power_nonneg : forall a n, 0 <= a -> 0 <= a ^ n. Proof. intros; apply pow_le; assumption. Qed.
Lemma even_nonneg : forall a n, 0 <= a ^ (2 * n).
Proof. intros. rewrite pow_Rsqr. apply pow_le. apply Rle_0_sqr. Qed.
Lemma square_nonneg : forall a : R, 0 <= a * a. Proof. exact Rle_0_sqr. Qed.
Lemma zpow_pos : forall a n, 0 < a -> 0 < powerRZ a n. Proof. intros; apply powerRZ_lt; assumption. Qed.
Lemma zpow_nonneg : forall a n, 0 <= a -> 0 <= powerRZ a n.
Proof.
  intros a [|p|p] H; simpl; [lra | apply pow_le; assumption | apply inv_nonneg, pow_le; assumption].
Qed.
Lemma sqrt_pos_lt : forall a : R, 0 < a -> 0 < sqrt a. Proof. exact sqrt_lt_R0. Qed.
Lemma ln_nonneg : forall a : R, 0 <= a - 1 -> 0 <= ln a.
Proof. intros a H. rewrite <- ln_1. apply ln_le_mono; lra. Qed.
Lemma ln_pos : forall a : R, 0 < a - 1 -> 0 < ln a.
Proof. intros a H. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma log2_nonneg : forall a : R, 0 <= a - 1 -> 0 <= log2 a.
Proof. intros. apply div_nonneg; apply ln_nonneg; lra. Qed.
Lemma log2_pos : forall a : R, 0 < a - 1 -> 0 < log2 a.
Proof. intros. apply div_pos; apply ln_pos; lra. Qed.
Lemma pw_pos : forall a y, 0 < a -> 0 < pw a y.
Proof. intros a y H. unfold pw. destruct (Req_EM_T a 0); [lra | apply exp_pos]. Qed.
Lemma pw_nonneg : forall a y, 0 <= pw a y.
Proof.
  intros a y. unfold pw. destruct (Req_EM_T a 0); [destruct (Req_EM_T y 0); lra | left; apply exp_pos].
Qed.
Lemma norm_nonneg : forall (s : space) (u : s), 0 <= norm u. Proof. intros; apply sqrt_pos. Qed.
Lemma min_pos : forall a b : R, 0 < a -> 0 < b -> 0 < Rmin a b. Proof. exact Rmin_pos. Qed.
Lemma min_nonneg : forall a b : R, 0 <= a -> 0 <= b -> 0 <= Rmin a b. Proof. intros; apply Rmin_glb; assumption. Qed.
Lemma max_pos_l : forall a b : R, 0 < a -> 0 < Rmax a b. Proof. intros a b H. pose proof (Rmax_l a b). lra. Qed.
Lemma max_pos_r : forall a b : R, 0 < b -> 0 < Rmax a b. Proof. intros a b H. pose proof (Rmax_r a b). lra. Qed.
Lemma max_nonneg_l : forall a b : R, 0 <= a -> 0 <= Rmax a b. Proof. intros a b H. pose proof (Rmax_l a b). lra. Qed.
Lemma max_nonneg_r : forall a b : R, 0 <= b -> 0 <= Rmax a b. Proof. intros a b H. pose proof (Rmax_r a b). lra. Qed.
Lemma fact_pos : forall n, 0 < factZ n. Proof. intros. apply INR_fact_lt_0. Qed.

(* Powers and logarithms: `Lg a x` says that a is positive and x its logarithm ------------------------------------ *)

Definition Lg (a x : R) : Prop := 0 < a /\ ln a = x.
Lemma Lg_atom : forall a : R, 0 < a -> Lg a (ln a). Proof. intros a H; split; [assumption | reflexivity]. Qed.
Lemma Lg_pos : forall a x : R, Lg a x -> 0 < a. Proof. intros a x [H _]; exact H. Qed.
Lemma Lg_mul : forall a b x y, Lg a x -> Lg b y -> Lg (a * b) (x + y).
Proof. intros a b x y [A <-] [B <-]. split; [apply mul_pos | apply ln_mult]; assumption. Qed.
Lemma Lg_inv : forall a x : R, Lg a x -> Lg (/ a) (- x).
Proof. intros a x [A <-]. split; [apply inv_pos | apply ln_Rinv]; assumption. Qed.
Lemma Lg_div : forall a b x y, Lg a x -> Lg b y -> Lg (a / b) (x - y).
Proof. intros a b x y A B. apply (Lg_mul a (/ b) x (- y)); [|apply Lg_inv]; assumption. Qed.
Lemma Lg_pow : forall a x n, Lg a x -> Lg (a ^ n) (IZR (Z.of_nat n) * x).
Proof. intros a x n [A <-]. split; [apply pow_lt | rewrite ln_pow, INR_IZR_INZ]; trivial. Qed.
Lemma Lg_exp : forall x, Lg (exp x) x. Proof. intros; split; [apply exp_pos | apply ln_exp]. Qed.
Lemma Lg_one : Lg 1 0. Proof. split; [lra | apply ln_1]. Qed.
Lemma Lg_e : Lg (exp 1) 1. Proof. apply Lg_exp. Qed.
Lemma Lg_zpow : forall a x n y, Lg a x -> IZR n = y -> Lg (powerRZ a n) (y * x).
Proof.
  intros a x n y [A <-] <-. split; [apply powerRZ_lt; assumption|].
  rewrite powerRZ_Rpower by assumption. unfold Rpower. apply ln_exp.
Qed.
Lemma Lg_pw : forall a x y, Lg a x -> Lg (pw a y) (y * x).
Proof.
  intros a x y [A <-]. split; [apply pw_pos; assumption|].
  unfold pw. destruct (Req_EM_T a 0); [lra | apply ln_exp].
Qed.
Lemma Lg_sqrt : forall a x : R, Lg a x -> Lg (sqrt a) (x / 2).
Proof.
  intros a x [A <-]. split; [apply sqrt_lt_R0; assumption|].
  rewrite <- (sqrt_sqrt a) at 2 by lra. rewrite ln_mult by (apply sqrt_lt_R0; assumption). lra.
Qed.
Lemma Lg_is : forall a b x, a = b -> Lg b x -> Lg a x. Proof. intros a b x ->; trivial. Qed.
Lemma Lg_eq : forall a b x y, Lg a x -> Lg b y -> x = y -> a = b.
Proof. intros a b x y [A <-] [B <-] H. apply ln_inv; assumption. Qed.
Lemma ln_is : forall a b x y, a = b -> Lg b x -> x = y -> ln a = y.
Proof. intros a b x y -> [_ <-] <-. reflexivity. Qed.
Lemma exp_is : forall x u y, Lg u y -> x = y -> exp x = u.
Proof. intros x u y H ->. apply (Lg_eq _ _ _ _ (Lg_exp y) H). reflexivity. Qed.
Lemma exp_root : forall x, exists g, Lg g x. Proof. intros x. exists (exp x). apply Lg_exp. Qed.

Lemma pw_exp : forall a y, 0 < a -> pw a y = exp (y * ln a).
Proof. intros a y H. unfold pw. destruct (Req_EM_T a 0); [lra | reflexivity]. Qed.
Lemma pw_Rpower : forall a y, 0 < a -> pw a y = Rpower a y. Proof. exact pw_exp. Qed.
Lemma pw_zero : forall y, 0 < y -> pw 0 y = 0.
Proof. intros y H. unfold pw. destruct (Req_EM_T 0 0); [|lra]. destruct (Req_EM_T y 0); lra. Qed.

(* Roots: a number g >= 0 with g^n = a, and what powers of a are *)
Lemma root : forall n a, 0 <= a -> exists g, 0 <= g /\ g ^ (S n) = a.
Proof.
  intros n a [H|H].
  - exists (exp (ln a / INR (S n))). split; [left; apply exp_pos|].
    apply (Lg_eq _ _ (INR (S n) * (ln a / INR (S n))) (ln a)); [|apply Lg_atom; assumption|].
    + rewrite INR_IZR_INZ. apply Lg_pow, Lg_exp.
    + field. apply not_0_INR. discriminate.
  - exists 0. split; [apply Rle_refl|]. subst. simpl. ring.
Qed.
Lemma root_pos : forall n a, 0 < a -> exists g, Lg g (ln a / INR (S n)) /\ g ^ (S n) = a.
Proof.
  intros n a H. exists (exp (ln a / INR (S n))). split; [apply Lg_exp|].
  apply (Lg_eq _ _ (INR (S n) * (ln a / INR (S n))) (ln a)); [|apply Lg_atom; assumption|].
  - rewrite INR_IZR_INZ. apply Lg_pow, Lg_exp.
  - field. apply not_0_INR. discriminate.
Qed.
Lemma pow_strict : forall n a b, 0 <= a -> a < b -> a ^ (S n) < b ^ (S n).
Proof.
  intros n a b A L. induction n as [|n IH]; [simpl; lra|].
  change (a * a ^ S n < b * b ^ S n). apply Rmult_le_0_lt_compat; trivial. apply pow_le, A.
Qed.
Lemma pow_inj : forall n a b, 0 <= a -> 0 <= b -> a ^ (S n) = b ^ (S n) -> a = b.
Proof.
  intros n a b A B H. destruct (Rtotal_order a b) as [L|[E|L]]; [exfalso | exact E | exfalso].
  - assert (a ^ S n < b ^ S n) by (apply pow_strict; assumption). lra.
  - assert (b ^ S n < a ^ S n) by (apply pow_strict; assumption). lra.
Qed.
Lemma sqrt_is : forall a u, 0 <= u -> a = u * u -> sqrt a = u.
Proof. intros a u H ->. apply sqrt_square. assumption. Qed.
Lemma norm_is : forall (s : space) (v : s) u, 0 <= u -> dot v v = u * u -> norm v = u.
Proof. intros. unfold norm. apply sqrt_is; assumption. Qed.
Lemma sqrt_with : forall a k p, 0 <= k -> a = k * k * p -> sqrt a = k * sqrt p.
Proof. intros a k p H ->. rewrite sqrt_mult_alt by apply square_nonneg. rewrite sqrt_square; trivial. Qed.
Lemma norm_with : forall (s : space) (v : s) k p, 0 <= k -> dot v v = k * k * p -> norm v = k * sqrt p.
Proof. intros. unfold norm. apply sqrt_with; assumption. Qed.
Lemma abs_is : forall a u, 0 <= u -> a * a = u * u -> Rabs a = u.
Proof.
  intros a u H E. rewrite <- (Rabs_pos_eq u H). apply Rsqr_eq_abs_0. exact E.
Qed.
(* pw a (p/q) = u where u^q = a^p *)
Lemma pw_is : forall a u p q, 0 <= a -> 0 <= u -> u ^ (S q) = a ^ (S p) ->
  pw a (IZR (Z.of_nat (S p)) / IZR (Z.of_nat (S q))) = u.
Proof.
  intros a u p q [A|A] U E.
  - apply (pow_inj q); [apply pw_nonneg | assumption |]. rewrite E.
    eapply Lg_eq; [apply Lg_pow, Lg_pw, Lg_atom, A | apply Lg_pow, Lg_atom, A |].
    field. apply IZR_neq. lia.
  - subst a. rewrite pw_zero.
    + apply (pow_inj q); [lra | assumption |]. rewrite E. simpl. ring.
    + apply div_pos; apply IZR_lt; lia.
Qed.
Lemma pw_sqrt : forall a : R, 0 <= a -> pw a (1 / 2) = sqrt a.
Proof. intros a A. apply (pw_is a (sqrt a) 0 1 A (sqrt_pos a)). simpl. rewrite !Rmult_1_r. apply sqrt_sqrt, A. Qed.
Lemma pow_back : forall n a b, 0 <= a -> 0 <= b -> a ^ (S n) <= b ^ (S n) -> a <= b.
Proof.
  intros n a b A B H. destruct (Rle_or_lt a b) as [L|L]; [exact L|].
  assert (b ^ S n < a ^ S n) by (apply pow_strict; assumption). lra.
Qed.
Lemma pw_back : forall a b y, 0 < y -> 0 <= a -> 0 <= b -> pw a y <= pw b y -> a <= b.
Proof.
  intros a b y Y A B H. destruct (Rle_or_lt a b) as [L|L]; [exact L | exfalso].
  assert (pw b y < pw a y); [|lra]. destruct B as [B|<-].
  - rewrite !pw_exp by lra. apply exp_increasing, Rmult_lt_compat_l, ln_increasing; assumption.
  - rewrite pw_zero by assumption. apply pw_pos. assumption.
Qed.
Lemma pow_back_lt : forall n (a b : R), 0 <= a -> 0 <= b -> a ^ (S n) < b ^ (S n) -> a < b.
Proof.
  intros n a b A B H. destruct (Rle_or_lt b a) as [[L|L]|L]; [exfalso | exfalso | exact L].
  - assert (b ^ S n < a ^ S n) by (apply pow_strict; assumption). lra.
  - subst. lra.
Qed.

(* Vectors ------------------------------------------------------------------------------------------------------- *)

Lemma dot_add_r : forall (s : space) (u v w : s), dot w (vadd u v) = dot w u + dot w v.
Proof. intros. rewrite !(dot_sym _ w). apply dot_add. Qed.
Lemma dot_scal_r : forall (s : space) c (u v : s), dot v (vscal c u) = c * dot v u.
Proof. intros. rewrite !(dot_sym _ v). apply dot_scal. Qed.
Lemma dot_zero_r : forall (s : space) (v : s), dot v vzero = 0.
Proof. intros. rewrite dot_sym. apply dot_zero. Qed.
Ltac dots := unfold vsub, vneg;
  repeat first [rewrite dot_add | rewrite dot_scal | rewrite dot_add_r | rewrite dot_scal_r
    | rewrite dot_zero | rewrite dot_zero_r].
Lemma norm_square : forall (s : space) (u : s), norm u * norm u = dot u u.
Proof. intros. apply sqrt_sqrt, dot_pos. Qed.
Lemma cauchy_square : forall (s : space) (u v : s), dot u v * dot u v <= dot u u * dot v v.
Proof.
  intros s u v. pose proof (dot_pos s u) as U. pose proof (dot_pos s v) as V.
  assert (H : forall a b, 0 <= a * a * dot u u + 2 * (a * b) * dot u v + b * b * dot v v).
  { intros a b. pose proof (dot_pos s (vadd (vscal a u) (vscal b v))) as P. revert P. dots.
    rewrite (dot_sym _ v u). lra. }
  destruct (Req_dec (dot u u) 0) as [Z|N].
  - pose proof (H (dot v v + 1) (- dot u v)) as P. rewrite Z in P |- *. nra.
  - pose proof (H (dot u v) (- dot u u)) as P. nra.
Qed.
Lemma cauchy : forall (s : space) (u v : s), dot u v <= norm u * norm v.
Proof.
  intros. destruct (Rle_or_lt (dot u v) 0) as [H|H].
  - pose proof (mul_nonneg _ _ (norm_nonneg s u) (norm_nonneg s v)). lra.
  - apply (pow_back 1); [lra | apply mul_nonneg; apply norm_nonneg |]. simpl. rewrite !Rmult_1_r.
    replace (norm u * norm v * (norm u * norm v)) with ((norm u * norm u) * (norm v * norm v)) by ring.
    rewrite !norm_square. apply cauchy_square.
Qed.
Lemma norm_add : forall (s : space) (u v : s), norm (vadd u v) <= norm u + norm v.
Proof.
  intros. apply (pow_back 1); [apply norm_nonneg | apply add_nonneg; apply norm_nonneg |].
  simpl. rewrite !Rmult_1_r, norm_square. dots. rewrite (dot_sym _ v u).
  pose proof (cauchy s u v). pose proof (norm_square s u). pose proof (norm_square s v). nra.
Qed.
Lemma norm_neg : forall (s : space) (u : s), norm (vneg u) = norm u.
Proof. intros. unfold norm. dots. f_equal. ring. Qed.
Lemma norm_sub : forall (s : space) (u v : s), norm (vsub u v) <= norm u + norm v.
Proof. intros. unfold vsub. rewrite <- (norm_neg s v). apply norm_add. Qed.

(* Tactics ------------------------------------------------------------------------------------------------------- *)

Lemma even_pos : forall (a : R) n, a <> 0 -> 0 < a ^ (2 * n).
Proof. intros. rewrite pow_Rsqr. apply pow_lt. apply Rlt_0_sqr. assumption. Qed.
Lemma pw_root : forall n a, 0 <= a -> pw a (1 / IZR (Z.of_nat (S n))) ^ (S n) = a.
Proof.
  intros n a [A|A].
  - eapply Lg_eq; [apply Lg_pow, Lg_pw, Lg_atom, A | apply Lg_atom, A |]. field. apply IZR_neq. lia.
  - subst a. rewrite pw_zero; [simpl; ring | apply div_pos; [lra | apply IZR_lt; lia]].
Qed.
Lemma sqrt_root : forall a, 0 <= a -> sqrt a ^ 2 = a. Proof. exact pow2_sqrt. Qed.
Lemma norm_root : forall (s : space) (u : s), norm u ^ 2 = dot u u.
Proof. intros. apply pow2_sqrt, dot_pos. Qed.
Lemma power_even : forall a, 0 <= a ^ 2. Proof. intros; apply (even_nonneg a 1). Qed.
Lemma abs_root : forall a, Rabs a ^ 2 = a ^ 2. Proof. exact pow2_abs. Qed.

(* a <> 0 where that is plain *)
Ltac nz := repeat split; nz_one
with nz_one := first [ assumption
  | match goal with H : 0 < ?a |- ?a <> 0 => exact (ne_of_pos a H) end
  | match goal with
    | |- exp _ <> 0 => apply ne_of_pos, exp_pos
    | |- pw _ _ <> 0 => apply ne_of_pos, pw_pos; assumption
    | |- sqrt _ <> 0 => apply ne_of_pos, sqrt_pos_lt; assumption
    | |- ln _ <> 0 => apply ne_of_pos, ln_pos; clear; lra
    end
  | lra
  | apply pow_nonzero; nz_one
  | apply Rmult_integral_contrapositive; split; nz_one
  | apply Rinv_neq_0_compat; nz_one
  | match goal with H : ?a <> 0 |- ?b <> 0 => let E := fresh in assert (E : b = a) by ring; rewrite E; exact H end
  | match goal with H : ?a <> 0 |- ?b <> 0 => let E := fresh in assert (E : b = - a) by ring; rewrite E; lra end
  | match goal with H : 0 < ?a |- ?b <> 0 => let E := fresh in assert (E : b = a) by ring; rewrite E; lra end
  | match goal with H : ?a <> 0 |- _ => let Z := fresh in intro Z; apply H; field_simplify_eq; [lra | nz] end ].
(* 0 <= a for a product of what is not negative *)
Ltac nn := first [ assumption | lra | apply mul_nonneg; nn | apply power_nonneg; nn | apply inv_nonneg; nn
  | apply pw_nonneg | apply sqrt_pos | apply norm_nonneg | apply Rabs_pos | left; apply exp_pos ].
Ltac whole := rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR, ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR; ring.
Lemma lt_carry : forall a b : R, 0 < a -> b = a -> 0 < b. Proof. intros; lra. Qed.
Lemma le_carry : forall a b : R, 0 <= a -> b = a -> 0 <= b. Proof. intros; lra. Qed.
Lemma ne_carry : forall a b : R, a <> 0 -> b = a -> b <> 0. Proof. intros; lra. Qed.
Lemma min_is_l : forall a b c : R, a <= b -> a = c -> Rmin a b = c. Proof. intros; subst; apply Rmin_left; trivial. Qed.
Lemma min_is_r : forall a b c : R, b <= a -> b = c -> Rmin a b = c. Proof. intros; subst; apply Rmin_right; trivial. Qed.
Lemma max_is_l : forall a b c : R, b <= a -> a = c -> Rmax a b = c. Proof. intros; subst; apply Rmax_left; trivial. Qed.
Lemma max_is_r : forall a b c : R, a <= b -> b = c -> Rmax a b = c. Proof. intros; subst; apply Rmax_right; trivial. Qed.
Lemma zpow_exp : forall a n, 0 < a -> powerRZ a n = exp (IZR n * ln a).
Proof. intros a n A. rewrite powerRZ_Rpower by assumption. reflexivity. Qed.
(* Whole numbers as reals, for enclosures *)
Lemma zpow_from : forall c m n, 1 <= c -> IZR (Z.of_nat m) <= IZR n -> c ^ m <= powerRZ c n.
Proof.
  intros c m n C H. apply le_IZR in H. rewrite pow_powerRZ.
  replace n with (Z.of_nat m + (n - Z.of_nat m))%Z by lia. rewrite powerRZ_add by lra.
  assert (K : 1 <= powerRZ c (n - Z.of_nat m)).
  { replace (n - Z.of_nat m)%Z with (Z.of_nat (Z.to_nat (n - Z.of_nat m))) by lia. rewrite <- pow_powerRZ.
    apply pow_R1_Rle. assumption. }
  assert (0 < powerRZ c (Z.of_nat m)) by (apply powerRZ_lt; lra). nra.
Qed.
Ltac reals := rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR;
  repeat match goal with n : Z |- _ => let x := fresh "x" in set (x := IZR n) in *; clearbody x; clear n end.
Ltac enclosed := first [ lra | interval with (i_prec 40) | interval with (i_prec 90)
  | apply Rminus_le; interval with (i_prec 40) | apply Rminus_lt; interval with (i_prec 40) ].
Lemma Req_le_sym : forall a : R, a = 0 -> 0 <= a. Proof. intros; lra. Qed.
Lemma minus_abs : forall a, - a <= Rabs a. Proof. intros. rewrite <- Rabs_Ropp. apply Rle_abs. Qed.
Lemma abs_minus : forall a b, Rabs (a - b) <= Rabs a + Rabs b.
Proof. intros. rewrite <- (Rabs_Ropp b). apply Rabs_triang. Qed.
Lemma ln_below : forall a, 0 < a -> ln a <= a - 1.
Proof.
  intros a A. pose proof (exp_ineq1_le (ln a)) as H. rewrite exp_ln in H by assumption. lra.
Qed.
Lemma floor_low : forall x, floorR x <= x. Proof. exact Zfloor_lb. Qed.
Lemma floor_high : forall x, x < floorR x + 1. Proof. exact Zfloor_ub. Qed.
Lemma ceil_low : forall x, x <= ceilR x. Proof. exact Zceil_ub. Qed.
Lemma ceil_high : forall x, ceilR x < x + 1.
Proof. intros x. unfold ceilR. pose proof (Zceil_lb x). lra. Qed.
Lemma z_induct : forall (P : Z -> Prop) a, P a -> (forall n, (a <= n)%Z -> P n -> P (n + 1)%Z) ->
  forall n, (a <= n)%Z -> P n.
Proof.
  intros P a A B n N. replace n with (a + Z.of_nat (Z.to_nat (n - a)))%Z by lia.
  induction (Z.to_nat (n - a)) as [|k IH]; [rewrite Z.add_0_r; exact A|].
  replace (a + Z.of_nat (S k))%Z with (a + Z.of_nat k + 1)%Z by lia. apply B; [lia | exact IH].
Qed.
Lemma ln_below_le : forall a, 0 < a -> 0 <= 1 - a -> 0 <= - ln a.
Proof. intros a A H. pose proof (ln_le_mono a 1 A). rewrite ln_1 in *. lra. Qed.
Lemma ln_below_lt : forall a, 0 < a -> 0 < 1 - a -> 0 < - ln a.
Proof. intros a A H. pose proof (ln_increasing a 1 A). rewrite ln_1 in *. lra. Qed.

(* Derivatives ---------------------------------------------------------------------------------------------------- *)

Notation Derived f x y := (@is_derive R_AbsRing R_NormedModule f x y).
Lemma D_is : forall (f : R -> R) (x : R) (y : R) (z : R), Derived f x y -> y = z -> Derived f x z. Proof. intros f x y z H <-. exact H. Qed.
Lemma D_const : forall c x : R, Derived (fun _ => c) x 0. Proof. intros. apply @is_derive_const. Qed.
Lemma D_name : forall x : R, Derived (fun t => t) x 1. Proof. intros. apply @is_derive_id. Qed.
Lemma D_neg : forall (f : R -> R) (x : R) (y : R), Derived f x y -> Derived (fun t => - f t) x (- y).
Proof. intros f x y H. apply @is_derive_opp. exact H. Qed.
Lemma D_add : forall (f : R -> R) (g : R -> R) (x : R) (y : R) (z : R), Derived f x y -> Derived g x z -> Derived (fun t => f t + g t) x (y + z).
Proof. intros. apply @is_derive_plus; assumption. Qed.
Lemma D_sub : forall (f : R -> R) (g : R -> R) (x : R) (y : R) (z : R), Derived f x y -> Derived g x z -> Derived (fun t => f t - g t) x (y - z).
Proof. intros. apply @is_derive_minus; assumption. Qed.
Lemma D_mul : forall (f : R -> R) (g : R -> R) (x : R) (y : R) (z : R), Derived f x y -> Derived g x z -> Derived (fun t => f t * g t) x (y * g x + f x * z).
Proof. intros f g x y z F G. apply @is_derive_mult; trivial. intros. apply Rmult_comm. Qed.
Lemma D_div : forall (f : R -> R) (g : R -> R) (x : R) (y : R) (z : R), Derived f x y -> Derived g x z -> g x <> 0 ->
  Derived (fun t => f t / g t) x ((y * g x - f x * z) / g x ^ 2).
Proof. intros. apply is_derive_div; assumption. Qed.
Lemma D_chain : forall (h : R -> R) (f : R -> R) (x : R) (y : R) (z : R), Derived h (f x) z -> Derived f x y -> Derived (fun t => h (f t)) x (z * y).
Proof.
  intros h f x y z H F. apply (D_is _ _ (scal y z)); [apply @is_derive_comp; assumption|].
  unfold scal; simpl. unfold mult; simpl. ring.
Qed.
Lemma D_exp : forall (f : R -> R) (x : R) (y : R), Derived f x y -> Derived (fun t => exp (f t)) x (exp (f x) * y).
Proof. intros f x y F. apply (D_chain exp); [apply is_derive_exp | exact F]. Qed.
Lemma D_ln : forall (f : R -> R) (x : R) (y : R), Derived f x y -> 0 < f x -> Derived (fun t => ln (f t)) x (y / f x).
Proof.
  intros f x y F P. apply (D_is _ _ (/ f x * y)); [apply (D_chain ln); [apply is_derive_ln; exact P | exact F]|].
  field. lra.
Qed.
Lemma D_log2 : forall (f : R -> R) (x : R) (y : R), Derived f x y -> 0 < f x -> Derived (fun t => log2 (f t)) x (y / (f x * ln 2)).
Proof.
  intros f x y F P. assert (L : ln 2 <> 0) by (apply ne_of_pos, ln_pos; lra). unfold log2.
  apply (D_is _ _ ((y / f x * ln 2 - ln (f x) * 0) / ln 2 ^ 2)).
  - apply (D_div (fun t => ln (f t)) (fun _ => ln 2)); [apply D_ln | apply D_const |]; assumption.
  - field. split; [assumption | lra].
Qed.
Lemma D_sqrt : forall (f : R -> R) (x : R) (y : R), Derived f x y -> 0 < f x -> Derived (fun t => sqrt (f t)) x (y / (2 * sqrt (f x))).
Proof.
  intros f x y F P. pose proof (sqrt_lt_R0 _ P) as S.
  apply (D_is _ _ (/ (2 * sqrt (f x)) * y)); [apply (D_chain sqrt); [|exact F]|].
  - apply is_derive_Reals, derivable_pt_lim_sqrt. exact P.
  - field. lra.
Qed.
Lemma D_pow : forall (f : R -> R) (x : R) (y : R) (n : nat) (m : nat) (k : R), Derived f x y -> n = S m -> k = INR n -> Derived (fun t => f t ^ n) x (k * f x ^ m * y).
Proof.
  intros f x y n m k F -> ->. apply (D_chain (fun t => t ^ S m)); [|exact F].
  apply is_derive_Reals. apply (derivable_pt_lim_pow (f x) (S m)).
Qed.
Lemma D_inv_pow : forall (f : R -> R) (x : R) (y : R) (n : nat) (k : R), Derived f x y -> f x <> 0 -> k = - INR n ->
  Derived (fun t => / f t ^ n) x (k * / f x ^ S n * y).
Proof.
  intros f x y n k F N ->. destruct n as [|n].
  - apply (D_is _ _ 0); [|simpl; ring]. apply (is_derive_ext (fun _ => / 1)); [reflexivity | apply D_const].
  - apply (D_is _ _ (- (INR (S n) * f x ^ n * y) / (f x ^ S n) ^ 2)).
    + apply is_derive_inv; [|apply pow_nonzero; exact N].
      exact (D_pow f x y (S n) n (INR (S n)) F eq_refl eq_refl).
    + simpl. field. repeat split; [apply pow_nonzero|]; exact N.
Qed.
Lemma locally_pos : forall (f : R -> R) (x : R) (y : R), Derived f x y -> 0 < f x -> locally x (fun t => 0 < f t).
Proof.
  intros f x y F P. assert (C : continuous f x) by (apply @ex_derive_continuous; exists y; exact F).
  apply (C (fun t => 0 < t)). apply open_gt. exact P.
Qed.
Lemma D_pw : forall (f : R -> R) (g : R -> R) (x : R) (y : R) (z : R), Derived f x y -> Derived g x z -> 0 < f x ->
  Derived (fun t => pw (f t) (g t)) x (pw (f x) (g x) * (z * ln (f x) + g x * (y / f x))).
Proof.
  intros f g x y z F G P. rewrite (pw_exp (f x)) by exact P.
  apply (is_derive_ext_loc (fun t => exp (g t * ln (f t)))).
  - apply (filter_imp (fun t => 0 < f t)); [|exact (locally_pos f x y F P)].
    intros t T. symmetry. apply pw_exp. exact T.
  - apply (D_exp (fun t => g t * ln (f t))). apply (D_mul g (fun t => ln (f t))); [exact G | apply D_ln; assumption].
Qed.
Lemma pw_less : forall a y, 0 < a -> pw a (y - 1) = pw a y / a.
Proof.
  intros a y A. eapply Lg_eq; [apply Lg_pw, Lg_atom, A | apply Lg_div; [apply Lg_pw|]; apply Lg_atom, A | ring].
Qed.
Lemma D_pw_number : forall (f : R -> R) (x : R) (y : R) (n : R), Derived f x y -> 0 < f x ->
  Derived (fun t => pw (f t) n) x (n * pw (f x) (n - 1) * y).
Proof.
  intros f x y n F P. apply (D_is _ _ (pw (f x) n * (0 * ln (f x) + n * (y / f x)))).
  - apply (D_pw f (fun _ => n)); [exact F | apply D_const | exact P].
  - rewrite pw_less by exact P. field. lra.
Qed.

Lemma D_zpow : forall (f : R -> R) (x y : R) (n : Z) (k : R), Derived f x y -> 0 < f x -> k = IZR n ->
  Derived (fun t => powerRZ (f t) n) x (k * powerRZ (f x) (n - 1) * y).
Proof.
  intros f x y n k F P ->.
  apply (D_is _ _ (exp (IZR n * ln (f x)) * (0 * ln (f x) + IZR n * (y / f x)))).
  - apply (is_derive_ext_loc (fun t => exp (IZR n * ln (f t)))).
    + apply (filter_imp (fun t => 0 < f t)); [|exact (locally_pos f x y F P)].
      intros t T. symmetry. apply zpow_exp. exact T.
    + apply (D_exp (fun t => IZR n * ln (f t))).
      apply (D_mul (fun _ => IZR n) (fun t => ln (f t))); [apply D_const | apply D_ln; assumption].
  - rewrite <- zpow_exp by exact P. replace (n - 1)%Z with (n + -1)%Z by lia.
    rewrite (powerRZ_add (f x) n (-1)) by lra. simpl (powerRZ (f x) (-1)). field. lra.
Qed.

(* Slopes --------------------------------------------------------------------------------------------------------- *)

Definition between (a b t : R) : Prop := Rmin a b <= t <= Rmax a b.
Lemma between_low : forall c a b t, c <= a -> c <= b -> between a b t -> c <= t.
Proof. intros c a b t A B [H _]. apply Rle_trans with (2 := H). apply Rmin_glb; assumption. Qed.
Lemma between_low_open : forall c a b t, c < a -> c < b -> between a b t -> c < t.
Proof. intros c a b t A B [H _]. apply Rlt_le_trans with (2 := H). apply Rmin_glb_lt; assumption. Qed.
Lemma between_high : forall c a b t, a <= c -> b <= c -> between a b t -> t <= c.
Proof. intros c a b t A B [_ H]. apply Rle_trans with (1 := H). apply Rmax_lub; assumption. Qed.
Lemma between_high_open : forall c a b t, a < c -> b < c -> between a b t -> t < c.
Proof. intros c a b t A B [_ H]. apply Rle_lt_trans with (1 := H). apply Rmax_lub_lt; assumption. Qed.
Lemma between_first : forall a b : R, between a b a.
Proof. intros a b. split; [apply Rmin_l | apply Rmax_l]. Qed.
Lemma between_second : forall a b : R, between a b b.
Proof. intros a b. split; [apply Rmin_r | apply Rmax_r]. Qed.
Lemma mean_value : forall (f : R -> R) (f1 : R -> R) (p : R) (x : R), (forall t, between p x t -> Derived f t (f1 t)) ->
  exists c, between p x c /\ f x - f p = f1 c * (x - p).
Proof.
  intros f f1 p x F. destruct (MVT_gen f p x f1) as [c [C E]].
  - intros t T. apply F. split; lra.
  - intros t T. apply continuity_pt_filterlim. apply @ex_derive_continuous. exists (f1 t). apply F. exact T.
  - exists c. split; [exact C | exact E].
Qed.
Lemma tangent : forall (f : R -> R) (f1 : R -> R) (f2 : R -> R) (p : R) (x : R),
  (forall t, between p x t -> Derived f t (f1 t)) -> (forall t, between p x t -> Derived f1 t (f2 t)) ->
  (forall t, between p x t -> 0 <= f2 t) -> f p = 0 -> f1 p = 0 -> 0 <= f x.
Proof.
  intros f f1 f2 p x F G C Z W. destruct (mean_value f f1 p x F) as [c [B E]].
  destruct (mean_value f1 f2 p c) as [d [B2 E2]].
  - intros t [T U]. apply G. destruct B as [B B']. unfold between, Rmin, Rmax in *.
    destruct (Rle_dec p x), (Rle_dec p c); lra.
  - assert (K : 0 <= f2 d).
    { apply C. destruct B2 as [T U], B as [B B']. unfold between, Rmin, Rmax in *.
      destruct (Rle_dec p x), (Rle_dec p c); lra. }
    rewrite Z in E. rewrite W in E2. replace (f x) with (f2 d * ((c - p) * (x - p))) by nra.
    apply mul_nonneg; [exact K|]. destruct B as [B B']. unfold Rmin, Rmax in *. destruct (Rle_dec p x); nra.
Qed.
Lemma rising : forall (f : R -> R) (f1 : R -> R) (p : R) (x : R), p <= x -> (forall t, between p x t -> Derived f t (f1 t)) ->
  (forall t, between p x t -> 0 <= f1 t) -> f p <= f x.
Proof.
  intros f f1 p x L F P. destruct (mean_value f f1 p x F) as [c [B E]]. specialize (P c B). nra.
Qed.
Lemma falling : forall (f f1 : R -> R) (p x : R), x <= p -> (forall t, between p x t -> Derived f t (f1 t)) ->
  (forall t, between p x t -> f1 t <= 0) -> f p <= f x.
Proof.
  intros f f1 p x L F P. destruct (mean_value f f1 p x F) as [c [B E]]. specialize (P c B). nra.
Qed.

(* Sums ----------------------------------------------------------------------------------------------------------- *)

Lemma zsum_empty : forall a b f, (b < a)%Z -> zsum a b f = 0.
Proof. intros a b f H. unfold zsum. replace (Z.to_nat (b - a + 1)) with O by lia. reflexivity. Qed.
Lemma zsum_last : forall a b c f, (c = b + 1)%Z -> (a <= b + 1)%Z -> zsum a c f = zsum a b f + f c.
Proof.
  intros a b c f -> H. unfold zsum. replace (Z.to_nat (b + 1 - a + 1)) with (S (Z.to_nat (b - a + 1))) by lia.
  simpl. do 2 f_equal. lia.
Qed.
Lemma sum_from_le : forall a n f g, (forall k, (a <= k < a + Z.of_nat n)%Z -> f k <= g k) ->
  sum_from a n f <= sum_from a n g.
Proof.
  intros a n f g. induction n as [|n IH]; intros H; [apply Rle_refl|]. simpl. apply Rplus_le_compat.
  - apply IH. intros k K. apply H. lia.
  - apply H. lia.
Qed.
Lemma zsum_le : forall a b f g, (forall k, (a <= k <= b)%Z -> f k <= g k) -> zsum a b f <= zsum a b g.
Proof. intros a b f g H. apply sum_from_le. intros k K. apply H. lia. Qed.
Lemma zsum_ext : forall a b f g, (forall k, (a <= k <= b)%Z -> f k = g k) -> zsum a b f = zsum a b g.
Proof. intros a b f g H. apply Rle_antisym; apply zsum_le; intros k K; rewrite (H k K); apply Rle_refl. Qed.
Lemma zsum_zero : forall a b, zsum a b (fun _ => 0) = 0.
Proof. intros. unfold zsum. induction (Z.to_nat (b - a + 1)) as [|n IH]; [reflexivity|]. simpl. rewrite IH. ring. Qed.
Lemma zsum_nonneg : forall a b f, (forall k, (a <= k <= b)%Z -> 0 <= f k) -> 0 <= zsum a b f.
Proof. intros a b f H. rewrite <- (zsum_zero a b). apply zsum_le. exact H. Qed.
Lemma zsum_scal : forall a b c f, c * zsum a b f = zsum a b (fun k => c * f k).
Proof.
  intros. unfold zsum. induction (Z.to_nat (b - a + 1)) as [|n IH]; simpl; [ring|]. rewrite <- IH. ring.
Qed.
Lemma zsum_plus : forall a b f g, zsum a b f + zsum a b g = zsum a b (fun k => f k + g k).
Proof.
  intros. unfold zsum. induction (Z.to_nat (b - a + 1)) as [|n IH]; simpl; [ring|]. rewrite <- IH. ring.
Qed.
Lemma zsum_ones : forall a b, (a <= b + 1)%Z -> IZR b - IZR a + 1 = zsum a b (fun _ => 1).
Proof.
  intros a b H. unfold zsum. rewrite <- minus_IZR, <- plus_IZR.
  replace (b - a + 1)%Z with (Z.of_nat (Z.to_nat (b - a + 1))) at 1 by lia.
  induction (Z.to_nat (b - a + 1)) as [|n IH]; [reflexivity|]. rewrite Nat2Z.inj_succ. unfold Z.succ.
  rewrite plus_IZR, IH. reflexivity.
Qed.

Lemma zsum_const : forall a b c, (a <= b + 1)%Z -> zsum a b (fun _ => c) = c * (IZR b - IZR a + 1).
Proof.
  intros a b c H. rewrite (zsum_ones a b H), zsum_scal. apply zsum_ext. intros. ring.
Qed.

(* Points --------------------------------------------------------------------------------------------------------- *)

Definition line : space.
Proof.
  apply (Space R 0 Rplus Rmult Rmult); [exact Rmult_comm | intros; ring | intros; ring | intros; ring | exact Rle_0_sqr].
Defined.
Definition plane : space.
Proof.
  apply (Space (R * R) (0, 0) (fun u v => (fst u + fst v, snd u + snd v)) (fun c u => (c * fst u, c * snd u))
    (fun u v => fst u * fst v + snd u * snd v)); intros; simpl; try ring.
  apply add_nonneg; apply Rle_0_sqr.
Defined.
Ltac number := first [ lra | interval with (i_prec 60) | apply Rminus_lt; interval with (i_prec 90)
  | interval with (i_prec 160) | field | field; lra | nra ].
Ltac powers := repeat match goal with
  | |- context [pw ?a ?y] => rewrite (pw_exp a y) by (unfold log2; number) end.
Ltac at_point := unfold zsum, norm, vsub, vneg, log2, floorR, ceilR; cbn -[IZR Zfloor Zceil pow powerRZ];
  powers; first [ number | left; number | right; split; number | simpl; number ].

(* Ends at 0, where enclosures of logarithms say nothing ----------------------------------------------------------- *)

Lemma ln_from : forall c t, exp c <= t -> 0 <= ln t - c.
Proof.
  intros c t H. pose proof (ln_le_mono (exp c) t (exp_pos c) H) as K. rewrite ln_exp in K. lra.
Qed.
Lemma ln_from_lt : forall c t, exp c < t -> 0 < ln t - c.
Proof.
  intros c t H. pose proof (ln_increasing (exp c) t (exp_pos c) H) as K. rewrite ln_exp in K. lra.
Qed.
Lemma ln_to : forall c t, 0 < t -> t <= exp c -> 0 <= c - ln t.
Proof. intros c t P H. pose proof (ln_le_mono t (exp c) P H) as K. rewrite ln_exp in K. lra. Qed.
Lemma ln_to_lt : forall c t, 0 < t -> t < exp c -> 0 < c - ln t.
Proof. intros c t P H. pose proof (ln_increasing t (exp c) P H) as K. rewrite ln_exp in K. lra. Qed.
Lemma over : forall c a b, 0 < b -> c * b <= a -> c <= a / b.
Proof.
  intros c a b B H. apply Rmult_le_reg_r with b; [exact B|]. replace (a / b * b) with a; [exact H | field; lra].
Qed.
Lemma over_lt : forall c a b, 0 < b -> c * b < a -> c < a / b.
Proof.
  intros c a b B H. apply Rmult_lt_reg_r with b; [exact B|]. replace (a / b * b) with a; [exact H | field; lra].
Qed.
Lemma pw_below_one : forall x y, 0 <= x -> 0 <= 1 - x -> 0 <= y -> 0 <= 1 - pw x y.
Proof.
  intros x y [X|<-] H Y.
  - rewrite pw_exp by exact X. assert (ln x <= 0) by (rewrite <- ln_1; apply ln_le_mono; lra).
    assert (exp (y * ln x) <= exp 0) by
      (destruct (Req_dec (y * ln x) 0) as [->|N]; [apply Rle_refl | left; apply exp_increasing; nra]).
    rewrite exp_0 in *. lra.
  - unfold pw. destruct (Req_EM_T 0 0); [|lra]. destruct (Req_EM_T y 0); lra.
Qed.
Lemma zpow_below_one : forall x n, 0 <= x -> 0 <= 1 - x -> 0 <= IZR n -> 0 <= 1 - powerRZ x n.
Proof.
  intros x n X H N. apply le_IZR in N. rewrite <- (Z2Nat.id n N), <- pow_powerRZ.
  induction (Z.to_nat n) as [|m IH]; simpl; [lra|]. assert (0 <= x ^ m) by (apply pow_le; exact X). nra.
Qed.
Lemma pow_below_one : forall x n, 0 <= x -> 0 <= 1 - x -> 0 <= 1 - x ^ n.
Proof.
  intros x n X H. induction n as [|m IH]; simpl; [lra|]. assert (0 <= x ^ m) by (apply pow_le; exact X). nra.
Qed.
