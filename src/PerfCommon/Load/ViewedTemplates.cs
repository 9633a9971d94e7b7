using PerfCommon.Codec;

namespace PerfCommon.Load;

/// <summary>Keeps messages with fewer fields: created once for each distinct view of a connection.</summary>
/// <typeparam name="T">Type of the templates.</typeparam>
/// <param name="views">Views of the connection.</param>
/// <param name="create">Creates the templates of a view.</param>
internal sealed class ViewedTemplates<T>(ItemViews views, Func<FieldView, T[]> create)
{
    private (FieldView? Of, T[] Templates)[] _made = [];

    /// <summary>Returns the templates of an item that has a view.</summary>
    public T[] Of(int slot)
    {
        int number = views.NumberOf(slot);
        FieldView view = views[number]!;
        return number < _made.Length && ReferenceEquals(_made[number].Of, view) ? _made[number].Templates : Make(number, view);
    }

    private T[] Make(int number, FieldView view)
    {
        if (number >= _made.Length)
            Array.Resize(ref _made, views.NumberLimit);
        T[] templates = create(view);
        _made[number] = (view, templates);
        return templates;
    }
}
