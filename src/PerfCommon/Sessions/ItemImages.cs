namespace PerfCommon.Sessions;

/// <summary>Which items of a consumer have their image.</summary>
/// <param name="count">Items of the connection.</param>
internal sealed class ItemImages(int count)
{
    private readonly bool[] _hasImage = new bool[count];
    private int _noted;

    /// <summary>Items of the connection.</summary>
    public int Count => _hasImage.Length;

    /// <summary>Items without image.</summary>
    public int Missing => Count - _noted;

    /// <summary>Notes an image; a second one of the same item changes nothing.</summary>
    /// <returns>True when it was the item's first.</returns>
    public bool TryNote(int item)
    {
        if (_hasImage[item])
            return false;
        _hasImage[item] = true;
        _noted++;
        return true;
    }
}
