using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>
/// The messages of a provider, in three lists that each keep their order: images, dictionaries, all other answers. Between the lists the order
/// is free, as a provider sends images when its tick has time for them. Updates are omitted.
/// </summary>
internal sealed class Transcript
{
    private readonly Dictionary<int, Said> _firstParts = [];

    public List<Said> Images { get; } = [];

    public List<Said> DictionaryParts { get; } = [];

    public List<Said> Replies { get; } = [];

    public void Add(Said said)
    {
        if (said.IsImage)
            Images.Add(said);
        else if (!said.IsDictionaryPart)
            Replies.Add(said);
        else if ((said.Flags & RefreshFlags.RefreshComplete) == 0)
            _firstParts.TryAdd(said.StreamId, said);
        else
            AddWholeDictionary(said);
    }

    /// <summary>True when this one is at least as long as that one was, list by list.</summary>
    public bool Reaches((int Images, int DictionaryParts, int Replies) lengths) =>
        Images.Count >= lengths.Images && DictionaryParts.Count >= lengths.DictionaryParts && Replies.Count >= lengths.Replies;

    public (int Images, int DictionaryParts, int Replies) Lengths => (Images.Count, DictionaryParts.Count, Replies.Count);

    // Into how many parts it is cut is free: the first of several shows only where it differs in more than that.
    private void AddWholeDictionary(Said last)
    {
        if (_firstParts.Remove(last.StreamId, out Said? first) && first != last with { Flags = last.Flags & ~RefreshFlags.RefreshComplete })
            DictionaryParts.Add(first);
        DictionaryParts.Add(last);
    }

    public override string ToString() => string.Join('\n', Replies.Concat(DictionaryParts).Concat(Images));
}
